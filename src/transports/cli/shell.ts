import type { Command } from "commander";
import { homeAt } from "../../adapters/home.ts";
import { exitCodes } from "../../contract/errors.ts";
import type { LoadProgram } from "../program.ts";
import type { Context } from "./context.ts";
import { reportFailure } from "./failure.ts";

interface CommandText {
  readonly name: string;
  readonly summary: string;
  readonly examples: readonly string[];
}

/** Runs the body of a command and keeps its exit code; nothing means that all went well. */
type Body<Options> = (context: Context, options: Options, args: readonly string[]) => Promise<number | undefined>;

/** What the commands have in common: options, help, refusals and exit codes. */
export class Shell {
  readonly root: Command;
  readonly #loadProgram: LoadProgram;
  readonly #env: NodeJS.ProcessEnv;
  exitCode: number = exitCodes.done;

  constructor(root: Command, loadProgram: LoadProgram, env: NodeJS.ProcessEnv) {
    this.root = addCommonOptions(root);
    this.#loadProgram = loadProgram;
    this.#env = env;
  }

  /** A command, or with a parent a command of a group. */
  add({ name, summary, examples }: CommandText, parent: Command = this.root): Command {
    const samples = examples.map((example) => `  $ crewdeck ${example}`).join("\n");
    return addCommonOptions(parent.command(name))
      .summary(summary)
      .description(`${summary}.`)
      .addHelpText("after", `\nExamples:\n${samples}`);
  }

  /** What a command does. `Options` are the options it declares, as commander reads them. */
  does<Options>(command: Command, body: Body<Options>): void {
    command.action(async () => {
      const { home, json, quiet, ...options } = command.optsWithGlobals<{ home?: string; json?: true; quiet?: true }>();
      const context: Context = {
        home: homeAt(home, this.#env),
        env: this.#env,
        isJson: json ?? false,
        isQuiet: quiet ?? false,
        loadProgram: this.#loadProgram,
      };
      try {
        this.exitCode = (await body(context, options as Options, command.args)) ?? exitCodes.done;
      } catch (error) {
        this.exitCode = reportFailure(context, error);
      }
    });
  }
}

const addCommonOptions = (command: Command): Command =>
  command
    .option("--home <dir>", "the folder that holds the data (default: $CREWDECK_HOME, else a folder of the user)")
    .option("--json", "answer as JSON, for programs")
    .option("--quiet", "print results only, no remarks");
