import { Refusal } from "../contract/refusal.ts";
import type { Ports } from "../domain/port.ts";

/** What the house answers from its own memory. */
type OwnPorts = Pick<Ports, "overlap" | "context">;

/** The ports a house is given; of each noun some or all. */
export type SomePorts = { readonly [Noun in Exclude<keyof Ports, keyof OwnPorts>]?: Partial<Ports[Noun]> };

/** What is missing finds nothing, or says that it cannot look. */
export function fillPorts(own: OwnPorts, given: SomePorts = {}): Ports {
  return {
    ...own,
    agent: { readCompanion: async () => null, ...given.agent },
    codeindex: {
      build: async () => refuse(),
      restore: async () => false,
      hold: async () => refuse(),
      search: async () => refuse(),
      searchCopy: async () => refuse(),
      findModel: async () => undefined,
      needOfRecords: async () => undefined,
      matchRecords: async () => [],
      readChunks: () => refuse(),
      listIndexes: async () => [],
      removeIndex: async () => undefined,
      readStatus: async () => refuse(),
      ...given.codeindex,
    },
    artifact: { ...noArtifacts, ...given.artifact },
    finding: {
      readReports: () => refuse(),
      writePack: async () => refuse(),
      ...given.finding,
    },
    forecast: {
      look: async () => refuse(),
      compare: async () => refuse(),
      order: async () => refuse(),
      judgesClaims: false,
      ...given.forecast,
    },
    project: fillProject(given.project),
    template: { readFiles: async () => [], ...given.template },
    usage: { listPrices: () => [], ...given.usage },
    worktree: { checkGround: async () => refuse(), ...given.worktree },
    pull: { ...noPulls, ...given.pull },
    evidence: { ...noEvidence, ...given.evidence },
    instance: {
      readWorkTree: async () => refuse(),
      planLaunch: async () => refuse(),
      readProcesses: async () => new Map(),
      budget: null,
      quietMs: Number.POSITIVE_INFINITY,
      readOutput: async () => "",
      listPrograms: () => [],
      mostAtOnce: 4,
      ...given.instance,
    },
    review: { limits: defaultLimits, readShape: async () => noShape, ...given.review },
  };
}

const noArtifacts: Ports["artifact"] = {
  readConfiguration: async () => refuse(),
  host: { platform: "", arch: "" },
  download: async () => refuse(),
  findExtension: async () => refuse(),
  tryExtension: async () => refuse(),
  writeCopy: async () => refuse(),
  compactCopy: async () => refuse(),
  listCopies: async () => [],
  removeCopy: async () => undefined,
  findCopy: async () => undefined,
  withCopy: async () => undefined,
  measure: async () => [],
  isFolderThere: async () => refuse(),
};
const defaultLimits = { agent: null, maxIterations: 3, autoAbandonAfter: 5, timeoutMs: 24 * 3_600_000 };
const noShape = { from: null, files: [], fileCount: 0 };
const noPulls: Ports["pull"] = {
  survey: async () => refuse(),
  compare: async () => refuse(),
  checkTarget: async () => refuse(),
  readState: async () => undefined,
  findHost: async () => null,
  pageAddress: () => "/pulls/{number}",
};

export const fillProject = (given: Partial<Ports["project"]> = {}): Ports["project"] => ({
  isLocal: true,
  locate: async () => refuse(),
  withoutLinks: () => undefined,
  ...given,
});

const noTree = { head: null, digest: "" };

const noEvidence: Ports["evidence"] = {
  takeSnapshot: async (root) => ({ type: "none", id: "none", root, head: null, files: {} }),
  compareSnapshot: async () => ({
    added: [],
    modified: [],
    deleted: [],
    warnings: [],
    isComplete: false,
    start: noTree,
    end: noTree,
    hashes: {},
  }),
  identifyTree: async () => noTree,
  listStale: async () => refuse(),
  readSides: () => refuse(),
  readChecks: async () => undefined,
  runChecks: async () => ({ state: "moved", results: [] }),
};

function refuse(): never {
  throw new Refusal("CAPABILITY_MISSING", "This server cannot reach repositories.");
}
