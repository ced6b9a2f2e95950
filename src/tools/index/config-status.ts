import { z } from "zod";
import { schemaVersion, toolVersion } from "../../contract/versions.ts";
import { locateRepository } from "../../domain/project/locate-operations.ts";
import { defineTool } from "../define.ts";
import { RepoPath } from "./references.ts";
import { listWarnings, Warning } from "./voice/warnings.ts";

const Place = z.object({ path: z.string(), exists: z.boolean() });

export default defineTool({
  name: "config_status",
  family: "index",
  title: "Check the search setup",
  summary: "Show how search is set up: what's installed, the settings in effect, and warnings about what's missing.",
  guidance: "Each warning has a code; its message says how to fix it.",
  keywords: "configuration settings installed missing model dictionary extension search setup index",
  effect: "read",
  callers: ["agent"],
  input: z.object({ repoPath: RepoPath }),
  output: z.object({
    repoPath: z.string().describe("The repository's top folder."),
    schemaVersion: z.string(),
    toolVersion: z.string(),
    capabilities: z.object({
      mcp: z.object({ sdk: z.boolean() }),
      search: z.object({ memory: z.boolean(), sqlite: z.boolean() }),
      vector: z.object({ model: z.boolean(), sqliteVec: z.boolean(), hnsw: z.boolean() }),
      docs: z.object({ pdfjsDist: z.boolean(), mammoth: z.boolean() }),
    }),
    config: z.object({
      toolTimeouts: z
        .object({ default: z.number().nullable(), tools: z.record(z.string(), z.number()) })
        .describe("Milliseconds that override the tools' own limits; 0 is without a limit."),
      downloads: z.object({ allow: z.boolean(), hosts: z.array(z.string()), files: z.array(z.string()) }),
      installed: z.object({
        models: z.array(z.string()),
        dictionaries: z.array(z.string()),
        extensions: z.array(z.string()),
      }),
    }),
    cache: z.object({ index: Place, models: Place, dictionaries: Place, extensions: Place, triage: Place }),
    warnings: z.array(Warning),
  }),
  refusals: ["INVALID_REQUEST", "FORBIDDEN"],
  examples: [
    { title: "the folder you work in", input: {} },
    { title: "another repository", input: { repoPath: "$checkout" } },
  ],
  async observe({ repoPath }, look) {
    const { root } = await locateRepository(look, repoPath);
    const { artifact, codeindex } = look.ports;
    return { root, ...(await artifact.readConfiguration(look.signal)), model: await codeindex.findModel() };
  },
  async handle(_input, _work, { root, places, capabilities, downloads, timeouts, model }) {
    const { sqlite, models, dictionaries, extensions } = capabilities;
    const has = (names: readonly string[]): boolean => names.length > 0;
    return {
      repoPath: root,
      schemaVersion,
      toolVersion,
      capabilities: {
        mcp: { sdk: true },
        search: { memory: true, sqlite },
        vector: { model: model?.canRun === true, sqliteVec: has(extensions), hnsw: false },
        docs: { pdfjsDist: false, mammoth: false },
      },
      config: {
        toolTimeouts: { default: timeouts.allMs, tools: { ...timeouts.toolsMs } },
        downloads: { allow: downloads.allow, hosts: [...downloads.hosts], files: Object.keys(downloads.files) },
        installed: { models: [...models], dictionaries: [...dictionaries], extensions: [...extensions] },
      },
      cache: places,
      warnings: listWarnings(capabilities, model),
    };
  },
});
