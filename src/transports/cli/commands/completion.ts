import type { Command } from "commander";
import { Refusal } from "../../../contract/refusal.ts";
import { print } from "../context.ts";
import type { Shell } from "../shell.ts";

const shells = ["bash", "zsh", "fish"] as const;
type ShellName = (typeof shells)[number];

/** Scripts that complete commands and options; made from the commands themselves, so that none is forgotten. */
export function addCompletion(shell: Shell): void {
  const command = shell
    .add({
      name: "completion",
      summary: "Print a shell completion script",
      examples: [
        "completion bash > ~/.local/share/bash-completion/completions/crewdeck",
        'completion zsh > "$' + '{fpath[1]}/_crewdeck"',
        "completion fish > ~/.config/fish/completions/crewdeck.fish",
      ],
    })
    .argument("<shell>", shells.join(", "));
  shell.does(command, async (_context, _options, [name = ""]) => {
    if (!isShell(name)) {
      throw new Refusal("INVALID_REQUEST", `Unknown shell ${name}.`, `Valid values: ${shells.join(", ")}.`);
    }
    for (const line of scripts[name](wordsBelow(shell.root))) print(line);
    return undefined;
  });
}

const isShell = (name: string): name is ShellName => shells.some((one) => one === name);

/** What may follow each command: its subcommands and its options. */
type Words = ReadonlyMap<string, readonly string[]>;

function wordsBelow(command: Command, path = "", words = new Map<string, readonly string[]>()): Words {
  const options = command.options.flatMap(({ long }) => (long ? [long] : []));
  words.set(path, [...command.commands.map((child) => child.name()), ...options, "--help"]);
  for (const child of command.commands) wordsBelow(child, `${path} ${child.name()}`.trim(), words);
  return words;
}

const scripts: Readonly<Record<ShellName, (words: Words) => string[]>> = {
  bash: (words) => ["_crewdeck() {", ...caseLines(words, "COMP_WORDS", "COMP_CWORD"), ...bashEnd],
  zsh: (words) => [
    "#compdef crewdeck",
    "autoload -U +X bashcompinit && bashcompinit",
    "_crewdeck() {",
    ...caseLines(words, "COMP_WORDS", "COMP_CWORD"),
    ...bashEnd,
  ],
  fish: (words) => [
    ...fishPath(words),
    ...[...words].flatMap(([path, list]) =>
      list.map((word) => {
        const what = word.startsWith("--") ? `-l ${word.slice(2)}` : `-f -a ${word}`;
        return `complete -c crewdeck -n '__crewdeck_is "${slashed(path)}"' ${what}`;
      }),
    ),
  ],
};

const slashed = (path: string): string => path.replaceAll(" ", "/");

/** Whether the longest command that the words so far spell is the one given: `list` of one group is not that of another. */
const fishPath = (words: Words): string[] => [
  `set -g __crewdeck_known ${[...words.keys()]
    .filter((path) => path !== "")
    .map(slashed)
    .join(" ")}`,
  "function __crewdeck_is",
  "  set -l path",
  "  for word in (commandline -opc)[2..-1]",
  "    string match -q -- '-*' $word; and continue",
  "    set -l longer (string join / $path $word)",
  "    contains -- $longer $__crewdeck_known; and set path $longer",
  "  end",
  '  test "$path" = "$argv[1]"',
  "end",
];

/** The longest command that the words so far spell, then what may follow it. */
const caseLines = (words: Words, all: string, current: string): string[] => [
  `  local path="" word list`,
  `  for word in "\${${all}[@]:1:${current}-1}"; do`,
  '    case "$word" in -*) continue ;; esac',
  '    if [ -n "$path" ]; then word="$path/$word"; fi',
  '    case " $_crewdeck_known " in *" $word "*) path="$word" ;; esac',
  "  done",
  '  case "$path" in',
  ...[...words].map(([path, list]) => `    "${slashed(path)}") list="${list.join(" ")}" ;;`),
  "  esac",
  `  COMPREPLY=($(compgen -W "$list" -- "\${${all}[${current}]}"))`,
  "}",
  `_crewdeck_known="${[...words.keys()].map(slashed).join(" ")}"`,
];

const bashEnd = ["complete -o default -F _crewdeck crewdeck"];
