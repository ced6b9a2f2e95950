import { Command, CommanderError } from "commander";
import { exitCodes } from "../../contract/errors.ts";
import { toolVersion } from "../../contract/versions.ts";
import type { LoadProgram } from "../program.ts";
import { addAgent, addReview } from "./commands/agent.ts";
import { addAnswer } from "./commands/answer.ts";
import { addBoard } from "./commands/board.ts";
import { addBudgets } from "./commands/budget.ts";
import { addCall } from "./commands/call.ts";
import { addChecks } from "./commands/checks.ts";
import { addCompletion } from "./commands/completion.ts";
import { addConflicts } from "./commands/conflicts.ts";
import { addDemo } from "./commands/demo.ts";
import { addDevelopers } from "./commands/developer.ts";
import { addDevices } from "./commands/device.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addInbox } from "./commands/inbox.ts";
import { addLog } from "./commands/log.ts";
import { addLogin } from "./commands/login.ts";
import { addMcp } from "./commands/mcp.ts";
import { addMissions } from "./commands/mission.ts";
import { addNext } from "./commands/next.ts";
import { addPulls } from "./commands/pull.ts";
import { addSearch } from "./commands/search.ts";
import { addServe } from "./commands/serve.ts";
import { addSessions } from "./commands/sessions.ts";
import { addSettings } from "./commands/settings.ts";
import { addSetup } from "./commands/setup.ts";
import { addStatus } from "./commands/status.ts";
import { addStop } from "./commands/stop.ts";
import { addStore } from "./commands/store.ts";
import { addSummary } from "./commands/summary.ts";
import { addTasks } from "./commands/task.ts";
import { addTelemetry } from "./commands/telemetry.ts";
import { addTokens } from "./commands/token.ts";
import { addTools } from "./commands/tools.ts";
import { addUp } from "./commands/up.ts";
import { addUsage } from "./commands/usage.ts";
import { addVault } from "./commands/vault.ts";
import { addWait } from "./commands/wait.ts";
import { addWatch } from "./commands/watch.ts";
import { addWorkflows } from "./commands/workflow.ts";
import { Shell } from "./shell.ts";

/** The command line, or under its other name the companion's part of it. Answers the exit code. */
export async function run(argv: readonly string[], loadProgram: LoadProgram, name = "crewdeck"): Promise<number> {
  endOnSignals();
  const isWhole = name === "crewdeck";
  const shell = new Shell(isWhole ? makeRoot() : makeCompanionRoot(name), loadProgram, process.env);
  for (const add of isWhole ? everyCommand : companionCommands) add(shell);
  try {
    await shell.root.parseAsync(!isWhole || hasCommand(argv) ? [...argv] : [...argv, "up"], { from: "user" });
    return shell.exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
}

const companionCommands = [addSetup, addDoctor, addWatch, addTelemetry];

const everyCommand = [
  addUp,
  addServe,
  addStop,
  addDemo,
  addStatus,
  addBoard,
  addNext,
  addInbox,
  addAnswer,
  addWait,
  addSessions,
  addAgent,
  addReview,
  addWorkflows,
  addMissions,
  addTasks,
  addChecks,
  addLog,
  addSummary,
  addSearch,
  addMcp,
  addCall,
  addTools,
  addDevelopers,
  addTokens,
  addSetup,
  addLogin,
  addDevices,
  addUsage,
  addTelemetry,
  addWatch,
  addBudgets,
  addSettings,
  addStore,
  addVault,
  addConflicts,
  addPulls,
  addCompletion,
  addDoctor,
];

const makeRoot = (): Command =>
  new Command("crewdeck")
    .description("Many coding agents and their developers in one code base, without stepping on each other.")
    .version(toolVersion)
    .usage("[command] [options]")
    .addHelpText("after", "\nWithout a command, up runs. `crewdeck help COMMAND` shows its options and examples.")
    .exitOverride()
    .showSuggestionAfterError();

const makeCompanionRoot = (name: string): Command =>
  new Command(name)
    .description("Connects the coding clients of this machine to Crewdeck. Also available as commands of `crewdeck`.")
    .version(toolVersion)
    .usage("<command> [options]")
    .exitOverride()
    .showSuggestionAfterError();

/** Options that may stand before the command; only the first of them has a value. */
function hasCommand(argv: readonly string[]): boolean {
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? "";
    if (word === "--home") at += 1;
    else if (word !== "--json" && word !== "--quiet" && word !== "--no-color" && !word.startsWith("--home="))
      return true;
  }
  return false;
}

/** A reader that has seen enough (`| head`) or a person who has is no failure of ours. */
function endOnSignals(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
  process.once("SIGINT", () => process.exit(exitCodes.interrupted));
}
