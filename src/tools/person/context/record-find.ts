import { z } from "zod";
import { findRecords, recordKinds } from "../../../domain/context/find-queries.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { defineTool } from "../../define.ts";

const mostCandidates = 10;

export default defineTool({
  name: "record_find",
  family: "person",
  title: "Find records by short id or name",
  summary: "Find tasks, workflows, agents or notes by id, the beginning of an id, name or task number.",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    terms: z
      .array(z.string().trim().min(1).max(500))
      .min(1)
      .max(200)
      .describe("Ids, beginnings of ids of at least four characters, full names, or numbers of tasks."),
    kinds: z
      .array(z.enum(recordKinds))
      .min(1)
      .default([...recordKinds])
      .describe("Only these kinds of records."),
  }),
  output: z.object({
    found: z
      .array(
        z.object({
          term: z.string(),
          candidates: z.array(
            z.object({
              id: z.string(),
              kind: z.enum(recordKinds),
              title: z.string(),
              developer: z.string().describe("Owner of the record."),
              client: z.string().nullable().describe("The program an agent runs in."),
            }),
          ),
        }),
      )
      .describe(`One entry for each term, in the same order, with up to ${mostCandidates} candidates.`),
  }),
  refusals: [],
  examples: [{ title: "by name", input: { terms: ["Write the form"], kinds: ["task"] } }],
  async handle({ terms, kinds }, work) {
    const viewer = await readViewer(work);
    const found = [];
    for (const term of terms) {
      const records = await findRecords(work.db, { term, kinds, limit: mostCandidates });
      // A name of somebody private must not be confirmed by being found.
      const candidates = viewer.known(records).map((record) => ({
        id: record.id,
        kind: record.kind,
        title: record.title,
        developer: viewer.of(record).owner,
        client: record.client,
      }));
      found.push({ term, candidates });
    }
    return { found };
  },
});
