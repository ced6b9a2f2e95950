/**
 * Words that are stored, compared and shown as they are. They stand here because the rows that hold them, the records
 * and the schemas on the wire all have to agree on them; what each means is said where its record is.
 */

/** One of these words. */
export type OneOf<Words extends readonly string[]> = Words[number];

export const developerRoles = ["owner", "member"] as const;
export const grantStatuses = ["pending", "approved", "denied", "consumed"] as const;

/** The coding clients that a machine's companion knows how to set up. */
export const clientNames = ["claude-code", "codex", "cursor", "gemini", "opencode", "copilot", "vscode"] as const;

/** How one part of a client's configuration is. `taken`: somebody else's entry stands where ours would. */
export const partStates = ["set_up", "changed", "taken", "broken", "missing"] as const;

/** Whether a person has let a client use what was set up; `unknown` where the client writes it down nowhere. */
export const trustStates = ["given", "awaited", "unknown"] as const;

/** Whether a client that is asked by its own command names the server. */
export const listingStates = ["named", "unnamed"] as const;

/** What the companion checks beside clients, and what it can find. */
export const companionChecks = ["hook", "bridge", "inbox", "journal", "watch", "service", "clock"] as const;
export const companionStates = [
  "works",
  "slow",
  "moved",
  "broken",
  "empty",
  "waiting",
  "refused",
  "unchecked",
  "running",
  "stopped",
  "installed",
  "absent",
  "unsupported",
  "right",
  "off",
] as const;

/** The program an agent runs in: every client that we name, and any other. */
export const runtimes = [
  "claude_code",
  "codex",
  "cursor",
  "gemini_cli",
  "opencode",
  "copilot_cli",
  "vscode",
  "jcode",
  "custom",
] as const;
export const agentRoles = ["coordinator", "worker"] as const;
export const agentStatuses = ["online", "busy", "offline"] as const;

/** Why a file is marked: a task means to change it, or a session has changed it and not yet committed or pushed it. */
export const fileSources = ["target", "dirty", "unpushed"] as const;

/** Three vocabularies, one noun (MI14). */
export const workflowKinds = ["workflow", "mission", "workstream"] as const;
export const sourceTypes = ["prompt", "github_issue", "linear", "jira", "custom", "template"] as const;
export const profiles = ["simple", "standard", "complex"] as const;

/** What a result is worth: the agent's word, what git confirms, or what the repository's own checks confirmed too. */
export const receiptLevels = ["self-reported", "verified", "reproduced"] as const;

export const complexities = ["low", "medium", "high"] as const;

export const worktreeStatuses = ["active", "merged", "abandoned"] as const;

/**
 * What is known of a worktree's folder. `foreign`: somebody else made it. Ours is being made, ready or has failed to
 * come about; `leaving` means that its content is being stored so that the folder can go.
 */
export const folderStates = ["foreign", "making", "ready", "failed", "leaving", "removed"] as const;

/** What an agent at work in a work tree is there for (IN1). */
export const instanceTypes = ["coding", "review", "planning"] as const;
export const instanceStatuses = [
  "started",
  "waiting_review",
  "pr_created",
  "pr_merged",
  "pr_closed",
  "terminated",
  "abandoned",
] as const;
/** Who started its program: we did, or somebody whose agent we merely know. */
export const instanceOrigins = ["launched", "adopted"] as const;

/** How a program that we start is run: in a terminal of its own, or with its output in a file. */
export const launchModes = ["tmux", "headless"] as const;

/** What is known of a program that we start. */
/** Why a person should look at an agent that we started. */
export const attentionKinds = ["permission", "silent", "ended_at_once", "over_budget", "uncounted"] as const;

export const processStates = ["queued", "starting", "running", "ended", "failed"] as const;

/** How a round ended: `live` while it goes on, `delivering` while what was said is on its way. */
export const reviewOutcomes = [
  "live",
  "delivering",
  "feedback",
  "approved",
  "superseded",
  "died",
  "timed_out",
  "stopped",
] as const;

export const feedbackTypes = ["needs_work", "suggestions", "clarification"] as const;

export const callerTypes = ["orchestrator", "subagent"] as const;

/** One noun for what families call checkpoints, decisions, blockers, issues and milestones (TN1, MI14). */
export const noteKinds = [
  "plan",
  "progress",
  "decision",
  "error",
  "recovery",
  "complete",
  /** Written by the server alone (NT2). */
  "replan",
  "blocker",
  "issue",
  "milestone",
] as const;

export const messageTypes = ["task_assignment", "status_update", "query", "response", "notification"] as const;
export const priorities = ["low", "normal", "high", "urgent"] as const;
export const messageStatuses = ["unread", "read", "archived"] as const;

/** What developers say to each other through their agents; the last is what the server says in somebody's place. */
export const peerTypes = ["announcement", "ask", "reply", "handoff", "conflict"] as const;

/** Why a claim on code is over. */
export const endReasons = ["released", "expired", "session_over", "task_over"] as const;

/** What is declared, checked for duplicates and warned about. */
export const workKinds = ["task", "workstream"] as const;
export const taskTypes = ["feature", "bug", "refactor", "chore", "docs", "test", "spike"] as const;
export const actions = ["create", "modify", "remove", "fix", "audit"] as const;

export const verdictWords = ["same_scope", "different_scope", "partial"] as const;

/** `noted`: disclosed, nothing to do. `open`: waits for a verdict. The others say how it was settled. */
export const warningStatuses = ["noted", "open", "judged", "confirmed", "dismissed"] as const;

/** What of ours makes a call in somebody's place: a part of a machine's companion, or the deck. All others are made by agents and people. */
export const callMakers = ["hook", "watch", "transcript", "inbox", "deck"] as const;
export type CallMaker = OneOf<typeof callMakers>;

/** By which ways a session is heard of. */
export const signalWays = ["hook", "watch", "call"] as const;

/** By which way a report of usage came. */
export const usageChannels = ["hook", "transcript", "inbox", "otel", "proxy", "call"] as const;

/** What used tokens can be grouped by. */
export const usageGroupings = [
  "model",
  "session",
  "developer",
  "repository",
  "task",
  "source",
  "channel",
  "day",
  "provenance",
] as const;

/** What results and their cost can be grouped by. */
export const outcomeGroupings = ["task", "agent", "model", "week"] as const;

/** Who wrote the report of a use: a harness, a provider's own answer, a proxy in between, or OpenTelemetry. */
export const usageSources = [
  "claude",
  "claude-code",
  "anthropic",
  "codex",
  "openai",
  "cursor",
  "provider",
  "proxy",
  "otel",
] as const;

/** Where the cost of a span comes from (US20, US21). */
export const costSources = ["price_table", "provider", "unknown"] as const;

export const budgetKinds = ["developer", "task"] as const;

/**
 * What is kept of two pieces of work under way: git cannot merge them, the result would be broken, or they are close; and
 * of one alone, that its base may have done it meanwhile.
 */
export const collisionVerdicts = ["conflict", "symbol", "near", "moot"] as const;

/** What an agent may wait for. */
export const newsKinds = ["message", "answer", "decision", "task", "review", "conflict"] as const;

/** Where a pull request is decided: here, or where the repository's remote says. */
export const pullHosts = ["local", "github"] as const;

/** `opening` and `merging`: outside work is under way. `failed`: it never came to be. */
export const pullStatuses = ["opening", "open", "merging", "merged", "closed", "failed"] as const;
export const mergeMethods = ["merge", "squash", "rebase"] as const;

/** Which side of a diff a comment is on. */
export const diffSides = ["old", "new"] as const;

export const issueStatuses = ["waiting", "filed", "failed"] as const;

export const reportKinds = ["audit", "week"] as const;

export const effectStatuses = ["pending", "running", "done", "failed", "undone"] as const;

/** Where a finding came from. */
export const findingSources = ["dependabot", "aws_inspector", "generic", "manual"] as const;
/** Worst first. */
export const severities = ["critical", "high", "medium", "low", "info", "unknown"] as const;
/** What can be decided about a finding. */
export const findingDecisions = ["fix", "accept", "defer", "false_positive", "not_affected"] as const;
/** Nothing is decided, the last decision, or the task that fixes it is done. */
export const findingStates = ["open", ...findingDecisions, "fixed"] as const;
