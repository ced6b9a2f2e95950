import type { AnswerOf } from "../../tools/calls.ts";
import { callTool } from "./api.ts";
import { type Reading, readAgain } from "./store.ts";

type Repository = AnswerOf<"repository_list">["repositories"][number];

/** The registered repositories. */
export const repositoriesReading: Reading<readonly Repository[]> = {
  key: "repositories",
  load: async () => (await callTool("repository_list", {})).repositories,
  applyEvent: (value, { kind }) => (kind.startsWith("repository.") ? readAgain : value),
};
