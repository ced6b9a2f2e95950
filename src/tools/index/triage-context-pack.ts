import { z } from "zod";
import { FindingId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import { packFinding, recordPack } from "../../domain/finding/pack-operations.ts";
import { locateRepository } from "../../domain/project/locate-operations.ts";
import { defineTool } from "../define.ts";
import { RepoPath } from "./references.ts";

export default defineTool({
  name: "triage_context_pack",
  family: "index",
  title: "Collect evidence about a finding",
  summary: "Write a file with a security finding, earlier decisions like it, and where the code uses the package.",
  guidance: "Read the file at path, then decide with triage_decision.",
  keywords: "security vulnerability evidence context reachable used history finding pack gather",
  effect: "create",
  isRepeatable: true,
  callers: ["agent"],
  input: z.object({
    repoPath: RepoPath,
    recordId: FindingId.describe("The finding, or a decision about it."),
    outPath: z.string().min(1).max(4_096).optional().describe("Where to write it, below Crewdeck's home."),
    ann: z.boolean().optional().describe("Search by meaning too; needs a model."),
    stubEmbeddings: z.boolean().optional().describe("Accepted for older clients; changes nothing."),
  }),
  output: z.object({
    repoPath: z.string(),
    recordId: FindingId,
    path: z.string().describe("The file that was written."),
    counts: z.object({ history: z.number(), evidence: z.number(), queries: z.number() }),
    queries: z.array(z.string()).describe("What the code was searched for."),
    warnings: z.array(z.string()),
  }),
  refusals: ["NOT_FOUND", "INVALID_REQUEST", "FORBIDDEN", "CAPABILITY_MISSING"],
  examples: [{ title: "before deciding", input: { recordId: "$finding", repoPath: "$checkout" } }],
  async observe({ repoPath, recordId, outPath, ann }, look) {
    const isByMeaning = ann === true;
    if (isByMeaning && !(await look.ports.codeindex.findModel())) throw noModel();
    const repository = await locateRepository(look, repoPath);
    return { root: repository.root, pack: await packFinding(look, { recordId, repository, outPath, isByMeaning }) };
  },
  async handle(_input, work, { root, pack }) {
    await recordPack(work, pack);
    return {
      repoPath: root,
      recordId: pack.finding.id,
      path: pack.path,
      counts: { history: pack.decisions, evidence: pack.hits, queries: pack.queries.length },
      queries: [...pack.queries],
      warnings: [...pack.warnings],
    };
  },
});

const noModel = (): Refusal =>
  new Refusal("CAPABILITY_MISSING", "Searching by meaning needs an embedding model.", "Leave ann out.");
