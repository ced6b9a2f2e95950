import { existsSync } from "node:fs";
import type { Command } from "commander";
import { type Home, homeAt } from "../../adapters/home.ts";
import { exitCodes } from "../../contract/errors.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { LoadProgram } from "../program.ts";
import type { Context } from "./context.ts";
import { reportFailure } from "./failure.ts";
import { screenOf } from "./screen.ts";

interface CommandText {
  readonly name: string;
  /** What others call it: both are accepted, help names both. */
  readonly alias?: string;
  readonly summary: string;
  readonly examples: readonly string[];
  /** It makes the home if there is none. */
  readonly makesHome?: true;
}

/** Runs the body of a command and keeps its exit code; nothing means that all went well. */
type Body<Options> = (context: Context, options: Options, args: readonly string[]) => Promise<number | undefined>;

/** What the commands have in common: options, help, refusals and exit codes. */
export class Shell {
  readonly root: Command;
  readonly #loadProgram: LoadProgram;
  readonly #env: NodeJS.ProcessEnv;
  readonly #homeMakers = new Set<Command>();
  exitCode: number = exitCodes.done;

  constructor(root: Command, loadProgram: LoadProgram, env: NodeJS.ProcessEnv) {
    this.root = addCommonOptions(root);
    this.#loadProgram = loadProgram;
    this.#env = env;
  }

  /** A command, or with a parent a command of a group. */
  add({ name, alias, summary, examples, makesHome }: CommandText, parent: Command = this.root): Command {
    const program = this.root.name();
    const samples = examples.map((example) => `  $ ${program} ${example}`).join("\n");
    const words = parent === this.root ? name : `${parent.name()} ${name}`;
    const command = addCommonOptions(parent.command(name))
      .summary(summary)
      .description(`${summary}.`)
      .addHelpText("after", `\nExamples:\n${samples}`)
      .showHelpAfterError(`See: ${program} ${words} --help`);
    if (alias !== undefined) command.alias(alias);
    if (makesHome) this.#homeMakers.add(command);
    return command;
  }

  /** What a command does. `Options` are the options it declares, as commander reads them. */
  does<Options>(command: Command, body: Body<Options>): void {
    command.action(async () => {
      const { home, json, quiet, color, ...options } = command.optsWithGlobals<CommonOptions>();
      const context: Context = {
        home: homeAt(home, this.#env),
        env: this.#env,
        isJson: json ?? false,
        isQuiet: quiet ?? false,
        screen: screenOf(process.stdout, this.#env, json === true || isUncoloured(command)),
        loadProgram: this.#loadProgram,
      };
      try {
        if (home !== undefined && !this.#homeMakers.has(command)) requireHome(context.home);
        this.exitCode = (await body(context, options as Options, command.args)) ?? exitCodes.done;
      } catch (error) {
        this.exitCode = reportFailure(context, error);
      }
    });
  }
}

interface CommonOptions {
  readonly home?: string;
  readonly json?: true;
  readonly quiet?: true;
  readonly color?: boolean;
}

/** On either side of the command: the value of the outer one hides the inner one's. */
function isUncoloured(command: Command): boolean {
  for (let at: Command | null = command; at !== null; at = at.parent) if (at.opts()["color"] === false) return true;
  return false;
}

/** A mistyped folder must not become an empty installation. */
function requireHome({ dir }: Home): void {
  if (existsSync(dir)) return;
  throw new Refusal("INVALID_REQUEST", `There is no home at ${dir}.`, `Create it with: crewdeck up --home ${dir}`);
}

const addCommonOptions = (command: Command): Command =>
  command
    .option("--home <dir>", "data folder (default: $CREWDECK_HOME, else one in your data directory)")
    .option("--json", "print JSON")
    .option("--quiet", "print results only")
    .option("--no-color", "no colors (also: $NO_COLOR)");
