import type { AnswerOf } from "../../tools/calls.ts";
import { callTool } from "./api.ts";
import type { LiveEvent } from "./event.ts";
import { type Reading, readAgain } from "./store.ts";

/** Two worktrees, or one and the base, that do not go together. */
export type Collision = AnswerOf<"collision_known">["collisions"][number];

/** All that the server has noticed; reading it looks at no repository. */
export const collisionsReading: Reading<AnswerOf<"collision_known">> = {
  key: "collisions",
  load: () => callTool("collision_known", {}),
  applyEvent: (value, event) => (isAboutCollisions(event) ? readAgain : value),
};

export const isAboutCollisions = ({ kind }: LiveEvent): boolean =>
  kind.startsWith("collision.") || kind === "developer.updated";
