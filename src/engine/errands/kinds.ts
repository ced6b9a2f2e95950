import type { AnyErrandKind } from "../../domain/errand.ts";
import { evidenceErrands } from "../../domain/evidence/errand-operations.ts";
import { instanceErrands } from "../../domain/instance/launch-operations.ts";
import { pullErrands } from "../../domain/pull/errand-operations.ts";
import { reviewErrands } from "../../domain/review/errand-operations.ts";
import { worktreeErrands } from "../../domain/worktree/errand-operations.ts";

/** Every kind of outside work that operations ask for. */
export const errandKinds: readonly AnyErrandKind[] = [
  ...worktreeErrands,
  ...evidenceErrands,
  ...instanceErrands,
  ...reviewErrands,
  ...pullErrands,
];
