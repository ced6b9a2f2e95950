import { expect, test } from "vitest";
import { describe, sampleItem } from "./description.ts";

test.each([
  ["GET", "/repos/{owner}/{repo}/pulls", 200],
  ["POST", "/repos/{owner}/{repo}/pulls", 201],
  ["GET", "/repos/{owner}/{repo}/pulls/{pull_number}", 200],
  ["GET", "/repos/{owner}/{repo}/issues", 200],
  ["POST", "/repos/{owner}/{repo}/issues", 201],
] as const)("[PR23] what we answer to %s %s in GitHub's place fits its description", (method, path, status) => {
  const described = describe(method, path);
  const isList = method === "GET" && !path.endsWith("}");
  const answer = isList ? [sampleItem(method, path, {})] : described.answer(status, {});
  expect(described.checkAnswer(status, answer)).toEqual([]);
  expect(described.checkAnswer(status, isList ? [{}] : {})).not.toEqual([]);
});
