/**
 * Next steps that a refusal may give, in words that name no tool: the domain does not know who calls it or by which
 * tools. A family has words of its own for them (`src/tools/<family>/voice/next-steps.ts`), which name its tools.
 */
const neutralWords = {
  listAgents: "List the agents and use an id from there.",
  registerFirst: "Register first.",
  listMessages: "List your messages and use an id from there.",
  listWorktrees: "List the worktrees and use an id from there.",
  listRepositories: "List the repositories, or register this one.",
  buildIndex: "Build the index, then call again.",
  ownAgent: "Use the id that you got when you registered.",
  registerAgain: "Register again under the same name to resume.",
  startSession: "Start a session, then call again with its id.",
  ownSession: "Use the id of a session that you started.",
  newSession: "Start a new session and use its id.",
  claimAnew: "Stop writing there and claim it again.",
  releaseClaims: "Release what is not needed any more.",
  seeClaims: "See which claims you hold, or claim again.",
  startMission: "Start one first.",
  startAnotherMission: "Start a new one.",
  startTask: "Start it first.",
  completeTask: "It gets one when it is completed.",
  listContexts: "List the active ones.",
  giveTaskBack: "Give it back instead.",
  startPlannedTask: "Check it for duplicates under its title, then start it as planned.",
  startPlannedWorkstream: "Check it for duplicates under its title, then start it as planned.",
  seeMail: "See what waits for you.",
  seeOpenMail: "See what is still open.",
  listDoubts: "List what needs a decision.",
  seeWarnings: "See which warnings there are.",
  listDevelopers: "List the developers of the team.",
  listTokens: "List the tokens there are.",
  seeTeam: "See who is in the team.",
  seeDependencies: "It waits for others: see which those are.",
  finishBlockers: "Finish what blocked_by names first, or take another task.",
  stopAndTakeAnother: "Stop working on it; take another task.",
  askOrClaimFree: "Ask its owner for it, or claim a free task.",
  takeAnother: "Take another task.",
  checkNewWork: "It stays closed: check and start new work.",
  replanOrCancel: "Plan it again, or cancel it.",
  completeWithResult: "Complete it with its result.",
  renameTemplate: "Choose another name; see which are taken.",
  listTemplates: "List the templates there are.",
  seeVariables: "See what the template asks for.",
  changeTasks: "Change single tasks instead.",
  seeWorkstreams: "See which workstreams there are.",
  planNewWorkstream: "It stays closed: plan new work.",
  completeWorkstream: "Complete it with its result.",
  startWorkstreamFirst: "Start it first, or leave workstream_id out.",
  newWorktree: "Make a new one.",
  listOwnCopies: "See which are your own.",
  listInstances: "List the instances and use an id from there.",
  useOwnReviewTools: "Use what your own kind of instance has.",
  listCopies: "See which are kept.",
  buildCopy: "Build the SQLite copy, then call again.",
  listFindings: "List the findings and use an id from there.",
  setPlan: "Only {failed} or {active} tasks can; set its plan instead.",
} as const;

type NextStepKey = keyof typeof neutralWords;

/** What somebody says in the place of the neutral words; `{name}` stands for a value. */
export type NextStepWords = Readonly<Record<NextStepKey, string>>;

export interface NextStep {
  readonly key: NextStepKey;
  /** Ids and words of ours, never text that came from users. */
  readonly values: Readonly<Record<string, string>>;
}

export const nextStep = (key: NextStepKey, values: Readonly<Record<string, string>> = {}): NextStep => ({
  key,
  values,
});

/** A step as a sentence. */
export const sayNextStep = ({ key, values }: NextStep, words: NextStepWords = neutralWords): string =>
  words[key].replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
