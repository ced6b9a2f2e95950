import { z } from "zod";
import { enterInstance } from "../../domain/instance/operations.ts";
import { fileIssues, lookForHost, readBatch } from "../../domain/pull/issue-operations.ts";
import { defineTool } from "../define.ts";

const Title = z.string().trim().min(1).max(256);

const Issue = z.strictObject({
  title: Title.describe("What is to be done, in a line; filed once."),
  body: z.string().max(60_000).describe("What somebody needs to know to do it."),
  labels: z.array(z.string().trim().min(1).max(50)).max(20).default([]).describe("Labels at the code host."),
  acceptance_criteria: z
    .array(z.string().trim().min(1).max(1_000))
    .max(50)
    .default([])
    .describe("How one can tell that it is done; becomes a list that can be ticked off."),
  depends_on: z
    .array(z.union([Title, z.number().int().min(1)]))
    .max(20)
    .default([])
    .describe("Titles of issues in this call, or numbers of existing ones."),
});

export default defineTool({
  name: "create_issues",
  family: "review",
  title: "Create issues",
  summary: "File up to 20 GitHub issues from a plan, in dependency order, each title once.",
  guidance:
    "For planning instances. If it fails halfway, the error says what was filed and what was not; call again with the same issues to file the rest.",
  keywords: "github issue tickets backlog plan file tracker",
  effect: "create",
  callers: ["agent"],
  isNamedInRefusals: true,
  input: z.object({
    issues: z.array(Issue).min(1).max(20).describe("The issues, in the order you want them answered."),
  }),
  output: z.object({
    issues: z.array(
      z.object({
        title: z.string(),
        number: z.number().int(),
        url: z.string(),
        created: z.boolean().describe("False where it existed already."),
      }),
    ),
    batch_id: z.string().describe("What the ledger calls this request."),
  }),
  refusals: [
    "FORBIDDEN",
    "INVALID_INPUT",
    "INVALID_REQUEST",
    "SELF_DEPENDENCY",
    "UNKNOWN_DEPENDENCY",
    "CAPABILITY_MISSING",
    "TOOL_TIMEOUT",
    "GITHUB_AUTH_FAILED",
    "GITHUB_PERMISSION_DENIED",
    "GITHUB_REPOSITORY_NOT_FOUND",
    "GITHUB_API_ERROR",
    "GITHUB_RATE_LIMIT_EXCEEDED",
    "GITHUB_NETWORK_ERROR",
  ],
  examples: [
    {
      title: "one that depends on the other",
      from: "planning",
      input: {
        issues: [
          { title: "Store sessions", body: "Keep sessions in the database.", labels: ["backend"] },
          { title: "Add a login page", body: "A form at /login.", depends_on: ["Store sessions"] },
        ],
      },
    },
  ],
  observe: (_input, look) => lookForHost(look),
  enter: (_input, work, { sighting }) => enterInstance(work, sighting),
  async handle({ issues }, work, seen) {
    const asked = issues.map(({ acceptance_criteria: criteria, depends_on: dependsOn, ...issue }) => ({
      ...issue,
      criteria,
      dependsOn,
    }));
    const batch = await fileIssues(work, { seen, issues: asked });
    return { batch_id: batch, issues: issues.map(({ title }) => ({ title, number: 0, url: "", created: false })) };
  },
  afterwards: {
    waitMs: 100_000,
    async read(answer, work) {
      const titles = answer.issues.map(({ title }) => title);
      const filed = await readBatch(work, { batch: answer.batch_id, titles });
      return {
        batch_id: answer.batch_id,
        issues: filed.map(({ title, number, url, isCreated }) => ({ title, number, url, created: isCreated })),
      };
    },
  },
});
