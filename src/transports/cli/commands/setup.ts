import { homedir, hostname } from "node:os";
import { createInterface } from "node:readline/promises";
import { baseUrlFrom, readOrigin } from "../../../adapters/base-url.ts";
import { tokenFor } from "../../../adapters/token.ts";
import type { ClientName } from "../../../companion/clients/client.ts";
import { clientNamed } from "../../../companion/clients/clients.ts";
import { companionAt } from "../../../companion/places.ts";
import { listRepos } from "../../../companion/repos.ts";
import { copyAt } from "../../../companion/repository.ts";
import { configuredServerOf } from "../../../companion/repository-server.ts";
import { applyGitHook, type GitHook, planGitHook } from "../../../companion/setup/git-hook.ts";
import type { Step } from "../../../companion/setup/plan.ts";
import { installService, removeService, type ServiceState } from "../../../companion/setup/service.ts";
import { applySetup, planSetup, type SetupPlan } from "../../../companion/setup/setup.ts";
import { agentTypes } from "../../../contract/caller.ts";
import { exitCodes } from "../../../contract/errors.ts";
import { Refusal } from "../../../contract/refusal.ts";
import { clientNames } from "../../../contract/words.ts";
import { answer, type Context, print } from "../context.ts";
import type { Shell } from "../shell.ts";
import { signIn } from "../sign-in.ts";
import { table } from "../table.ts";
import { showCode } from "./login.ts";

interface Options {
  readonly baseUrl?: string;
  readonly client?: readonly string[];
  readonly remove?: true;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly service: boolean;
  readonly gitHook?: true;
}

export function addSetup(shell: Shell): void {
  const command = shell
    .add({
      name: "setup",
      makesHome: true,
      summary: "Connect the coding clients of this machine to Crewdeck in this repository",
      examples: [
        "setup",
        "setup --dry-run",
        "setup --client codex --yes",
        "setup --base-url https://deck.example",
        "setup --git-hook",
        "setup --remove",
      ],
    })
    .option("--client <name...>", `only these: ${clientNames.join(", ")} (default: those found)`)
    .option("--base-url <origin>", "the server's address, if it isn't on this machine (default: $COVIBE_BASE_URL)")
    .option("--remove", "undo: restore every file as it was")
    .option("--dry-run", "show the plan and change nothing")
    .option("--yes", "don't ask")
    .option("--git-hook", "also check commits against claims, with a git pre-commit hook")
    .option("--no-service", "don't start `crewdeck watch` with your session");
  shell.does<Options>(command, async (context, options) => {
    const plan = planSetup(askOf(context, options));
    const gitHook = gitHookOf(plan, options);
    const isDry = options.dryRun === true;
    if (!context.isJson) for (const line of planLines(plan, gitHook, context)) print(line);
    const isApplied = !isDry && hasWork(plan) && (options.yes === true || (await isAgreed(context)));
    if (isApplied) {
      applySetup(plan);
      if (gitHook !== undefined) applyGitHook(gitHook);
    }
    const service = isApplied ? await tendService(plan, options.service) : null;
    const isSignedIn = isApplied && !plan.ask.isRemoval ? await ensureToken(context, plan) : undefined;
    answer(context, { ...reportOf(plan, isApplied, isSignedIn), git_hook: gitHook ?? null, service }, () =>
      endLines(plan, { isDry, isApplied, isSignedIn, service }),
    );
    const actions = [...plan.steps.map(({ action }) => action), gitHook?.action];
    return actions.includes("refused") ? exitCodes.refused : exitCodes.done;
  });
}

/** Added only where it is asked for; removed with everything else. */
const gitHookOf = ({ ask }: SetupPlan, { gitHook }: Options): GitHook | undefined =>
  gitHook === true || (ask.isRemoval && ask.names === undefined)
    ? planGitHook(ask.place.repository, ask.isRemoval)
    : undefined;

function askOf(context: Context, options: Options): SetupPlan["ask"] {
  const given = options.baseUrl === undefined ? baseUrlFrom(context.env) : readOrigin(options.baseUrl, "--base-url");
  const companion = companionAt();
  const copy = copyAt(process.cwd());
  // A second setup finds nothing to do, also in a clone that was never set up on this machine.
  const baseUrl = given ?? configuredServerOf(companion, copy);
  return {
    companion,
    place: {
      repository: copy.root,
      userHome: homedir(),
      env: context.env,
      baseUrl,
    },
    homeDir: context.home.dir,
    names: options.client === undefined ? undefined : readNames(options.client),
    isRemoval: options.remove === true,
  };
}

const readNames = (words: readonly string[]): ClientName[] =>
  words
    .flatMap((word) => word.split(","))
    .map((word) => {
      const client = clientNamed(word.trim());
      if (client !== undefined) return client.name;
      throw new Refusal("INVALID_REQUEST", `Unknown client: ${word}.`, `Valid values: ${clientNames.join(", ")}.`);
    });

const hasWork = ({ ask, steps, staleShims }: SetupPlan): boolean =>
  ask.isRemoval || staleShims.length > 0 || steps.length > 0;

/** Asked once, where somebody can answer. Everything can be undone, so a script's word is enough. */
async function isAgreed(context: Context): Promise<boolean> {
  if (context.isJson || process.stdin.isTTY !== true || process.stdout.isTTY !== true) return true;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question("Continue? [y/N] ")).trim());
  } finally {
    terminal.close();
  }
}

/** This machine's own server gives a token at its first start; another wants a person to approve. */
async function ensureToken(context: Context, { ask, clients }: SetupPlan): Promise<boolean | undefined> {
  const { baseUrl } = ask.place;
  if (baseUrl === undefined) return undefined;
  if (tokenFor(context.home, { origin: baseUrl, env: context.env }) !== undefined) return true;
  if (context.isJson || process.stdin.isTTY !== true) return false;
  const typed = clients.flatMap(({ name }) => agentTypes.filter((type) => type === name));
  const agents = typed.length === 0 ? agentTypes : typed;
  await signIn(context, { origin: baseUrl, machine: hostname(), agents }, (codes) => showCode(context, codes, baseUrl));
  return true;
}

/** The watcher belongs to the machine: it comes with the first repository and goes with the last. */
async function tendService({ ask }: SetupPlan, isWanted: boolean): Promise<ServiceState | null> {
  const { companion, place } = ask;
  if (!ask.isRemoval) return isWanted ? installService(companion, place.userHome) : null;
  return listRepos(companion).length === 0 ? removeService(companion, place.userHome) : null;
}

const words: Readonly<Record<Step["action"] | GitHook["action"], string>> = {
  chain: "change",
  create: "create",
  change: "change",
  delete: "delete",
  none: "up to date",
  kept: "leave alone",
  refused: "broken",
};

function planLines(
  { ask, clients, steps, staleShims }: SetupPlan,
  gitHook: GitHook | undefined,
  context: Context,
): string[] {
  const { place, isRemoval } = ask;
  const rows = [
    ...staleShims.map((file) => ["write", file, "program that clients call"]),
    ...steps.map(({ action, part, client, reason }) => [
      isRemoval && action === "none" ? "nothing to do" : words[action],
      part.file,
      reason ?? `${client.title}: ${part.purpose}`,
    ]),
    ...(gitHook === undefined || (isRemoval && gitHook.action === "none")
      ? []
      : [[words[gitHook.action], gitHook.file, gitHook.reason ?? gitHookText[gitHook.action]]]),
  ];
  const what = isRemoval ? "Remove Crewdeck from" : "Set up";
  const server = isRemoval ? "" : ` with ${place.baseUrl ?? "the server on this machine"}`;
  const heading = `${what} ${clients.map(({ title }) => title).join(", ")} in ${place.repository}${server}:`;
  return context.isQuiet
    ? []
    : [heading, "", ...table(rows, { screen: context.screen, flexible: [1, 2], indent: 2 }), ""];
}

const gitHookText: Readonly<Record<GitHook["action"], string>> = {
  create: "git: checks commits against claims",
  chain: "git: checks commits against claims, after the hook that is there",
  delete: "git: the hook that was there comes back",
  none: "git: checks commits against claims",
  refused: "git",
};

interface Ending {
  readonly isDry: boolean;
  readonly isApplied: boolean;
  readonly isSignedIn: boolean | undefined;
  readonly service: ServiceState | null;
}

function endLines({ ask, clients, steps }: SetupPlan, { isDry, isApplied, isSignedIn, service }: Ending): string[] {
  const broken = steps
    .filter(({ action }) => action === "refused")
    .map(({ part, reason }) => `${part.file} was not changed: ${reason}. Fix it, then run this again.`);
  if (isDry) return ["Dry run: nothing was changed.", ...broken];
  if (!isApplied) return ["Nothing was changed.", ...broken];
  if (ask.isRemoval) return ["Removed.", ...broken];
  const todo = clients.flatMap((client) => client.todo);
  return [
    "Done. Undo it with: crewdeck setup --remove",
    ...(service === "installed" ? ["`crewdeck watch` runs as a service of your session."] : []),
    ...(service === "unavailable"
      ? ["No service manager here. To see edits by shell commands, run: crewdeck watch"]
      : []),
    ...(isSignedIn === false ? [`Not signed in. Run: crewdeck login --base-url ${ask.place.baseUrl}`] : []),
    ...(todo.length === 0 ? [] : ["", "Still to do:", ...todo.map((line) => `  ${line}`)]),
    ...broken,
    "",
    "Check it with: crewdeck doctor",
  ];
}

const reportOf = ({ ask, clients, steps }: SetupPlan, isApplied: boolean, isSignedIn: boolean | undefined) => ({
  repository: ask.place.repository,
  base_url: ask.place.baseUrl ?? null,
  removed: ask.isRemoval && isApplied,
  applied: isApplied,
  signed_in: isSignedIn ?? null,
  clients: clients.map((client) => ({
    client: client.name,
    files: steps
      .filter((step) => step.client === client)
      .map(({ part, action, reason }) => ({ file: part.file, purpose: part.purpose, action, reason })),
    todo: ask.isRemoval ? [] : client.todo,
  })),
});
