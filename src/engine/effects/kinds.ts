import type { AnyEffectKind } from "../../domain/effect.ts";
import { evidenceEffects } from "../../domain/evidence/effect-operations.ts";
import { worktreeEffects } from "../../domain/worktree/effect-operations.ts";

/** Every kind of outside work that operations ask for. */
export const effectKinds: readonly AnyEffectKind[] = [...worktreeEffects, ...evidenceEffects];
