import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Tmux } from "../../../adapters/launcher/tmux.ts";
import { exitCodes } from "../../../contract/errors.ts";
import { Refusal } from "../../../contract/refusal.ts";
import type { AnswerOf } from "../../../tools/calls.ts";
import { openApi } from "../api.ts";
import { answer, printJsonLine } from "../context.ts";
import { outputSince } from "../output-since.ts";
import { resolveId, resolveIn } from "../record.ts";
import type { Shell } from "../shell.ts";
import { table } from "../table.ts";
import { agoText, none } from "../text.ts";

type Instance = AnswerOf<"instance_list">["instances"][number];
type Api = Awaited<ReturnType<typeof openApi>>;

interface StartOptions {
  readonly task?: string;
  readonly prompt?: string;
  readonly agent?: string;
  readonly role: "coding" | "planning";
  readonly budgetTokens?: string;
  readonly budgetUsd?: string;
}

/** More than a program puts out between two looks. */
const followedLines = 20_000;
const goesOn: readonly string[] = ["queued", "starting", "running"];

/** Agents that we start. */
export function addAgent(shell: Shell): void {
  const group = shell.add({
    name: "agent",
    summary: "Start agents in work trees of their own, watch and end them",
    examples: ['agent start --prompt "Add a test"', "agent list", "agent log ID --follow", "agent stop ID"],
  });

  const start = shell
    .add(
      {
        name: "start",
        summary: "Start an agent on this folder's branch",
        examples: ['agent start --prompt "Add a test"', "agent start --task 12 --agent codex"],
      },
      group,
    )
    .option("--task <id>", "the task it is to do: its number, id or title")
    .option("--prompt <text>", "what it is to do")
    .option("--agent <name>", "which program, by its name in config.json")
    .option("--role <role>", "coding or planning", "coding")
    .option("--budget-tokens <number>", "stop it once it has used more tokens")
    .option("--budget-usd <dollars>", "stop it once it has cost more");
  shell.does<StartOptions>(start, async (context, { task, prompt, agent, role, budgetTokens, budgetUsd }) => {
    if (task === undefined && prompt === undefined) {
      throw new Refusal("INVALID_REQUEST", "There is nothing to do.", "Pass --prompt or --task.");
    }
    const api = await openApi(context);
    const started = await api.call("instance_start", {
      path: resolve("."),
      role,
      ...(task === undefined ? {} : { task_id: await resolveId(api, "task", task) }),
      ...(prompt === undefined ? {} : { prompt }),
      ...(agent === undefined ? {} : { agent }),
      ...(budgetTokens === undefined ? {} : { budget_tokens: Number(budgetTokens) }),
      ...(budgetUsd === undefined ? {} : { budget_usd: Number(budgetUsd) }),
    });
    answer(context, started, () => [started.id]);
    return undefined;
  });

  const list = shell
    .add({ name: "list", summary: "List instances", examples: ["agent list", "agent list --status started"] }, group)
    .option("--type <type>", "coding, review or planning")
    .option("--status <status>", "only those in this status");
  shell.does<{ type?: Instance["type"]; status?: Instance["status"] }>(list, async (context, { type, status }) => {
    const api = await openApi(context);
    const ask = { ...(type === undefined ? {} : { type }), ...(status === undefined ? {} : { status }) };
    const listing = await api.call("instance_list", ask);
    const heading = ["ID", "STATUS", "AGENT", "BRANCH", "ROUND", "SEEN", "FOLDER"];
    answer(context, listing, () =>
      listing.instances.length === 0
        ? ["No instances."]
        : table(listing.instances.map(rowOf), { screen: context.screen, heading, flexible: [6, 3], optional: [6, 4] }),
    );
    return undefined;
  });

  const attach = shell
    .add({ name: "attach", summary: "Open an agent's terminal", examples: ["agent attach ID"] }, group)
    .argument("<id>", "the instance's id or the beginning of it");
  shell.does(attach, async (context, _options, [given = ""]) => {
    const api = await openApi(context);
    const id = await findId(api, given);
    const tmux = new Tmux(join(context.home.dir, "agents"));
    if (!Tmux.isThere() || !(await tmux.has(id))) {
      throw new Refusal("NOT_RUNNING", "That agent has no terminal.", "Read what it said with `crewdeck agent log`.");
    }
    const [program = "", ...words] = tmux.attachWords(id);
    const child = spawn(program, words, { stdio: "inherit" });
    const code = await new Promise<number | null>((done) => child.once("error", () => done(1)).once("close", done));
    return code === 0 ? exitCodes.done : exitCodes.refused;
  });

  const log = shell
    .add(
      { name: "log", summary: "Show what an agent has put out", examples: ["agent log ID", "agent log ID --follow"] },
      group,
    )
    .argument("<id>", "the instance's id or the beginning of it")
    .option("--lines <number>", "at most so many", "200")
    .option("--follow", "go on until it has ended, or Ctrl-C; with --json one line for each piece");
  shell.does<{ lines: string; follow?: true }>(log, async (context, { lines, follow }, [given = ""]) => {
    const api = await openApi(context);
    const id = await findId(api, given);
    let shown = await api.call("instance_log", { id, lines: Number(lines) });
    const say = (output: string): void =>
      follow && context.isJson
        ? printJsonLine({ ...shown, output })
        : answer(context, { ...shown, output }, () => [output]);
    say(shown.output);
    while (follow && goesOn.includes(shown.state ?? "")) {
      await pause(500);
      const before = shown;
      shown = await api.call("instance_log", { id, lines: followedLines });
      const added = outputSince(before.output, shown.output).replace(/^\n/, "");
      if (added.trim() !== "" || (context.isJson && shown.state !== before.state)) say(added);
    }
    return undefined;
  });

  for (const [name, summary, tool] of [
    ["stop", "End an agent that we started", "instance_stop"],
    ["abandon", "Give up an instance's work", "instance_abandon"],
  ] as const) {
    const command = shell
      .add({ name, summary, examples: [`agent ${name} ID`] }, group)
      .argument("<id>", "the instance's id or the beginning of it");
    shell.does(command, async (context, _options, [given = ""]) => {
      const api = await openApi(context);
      const ended = await api.call(tool, { id: await findId(api, given) });
      answer(context, ended, () => [`${ended.id} is ${ended.status}.`]);
      return undefined;
    });
  }
}

/** Reviews of agents' work. */
export function addReview(shell: Shell): void {
  const group = shell.add({
    name: "review",
    summary: "Show reviews, and allow more of them",
    examples: ["review list", "review show ID", "review grant ID"],
  });

  const list = shell.add({ name: "list", summary: "List reviews", examples: ["review list"] }, group);
  shell.does(list, async (context) => {
    const listing = await (await openApi(context)).call("review_list", {});
    const rows = listing.reviews.map((one) => [
      one.review_instance_id,
      one.instance_id,
      String(one.review_iteration),
      one.outcome,
      agoText(one.requested_at),
    ]);
    const heading = ["ID", "WORK OF", "ROUND", "OUTCOME", "REQUESTED"];
    answer(context, listing, () =>
      rows.length === 0 ? ["No reviews."] : table(rows, { screen: context.screen, heading }),
    );
    return undefined;
  });

  const show = shell
    .add({ name: "show", summary: "Show a review: its prompt and its feedback", examples: ["review show ID"] }, group)
    .argument("<id>", "the reviewer's or the coder's id, or the beginning of it");
  shell.does(show, async (context, _options, [given = ""]) => {
    const api = await openApi(context);
    const shown = await api.call("instance_get", { id: await findId(api, given) });
    answer(context, shown, () => [
      `${shown.id}  ${shown.status}${shown.end_reason === null ? "" : `  ${shown.end_reason}`}`,
      ...(shown.attention === null ? [] : [`Needs a person: ${shown.attention.reason}`]),
      ...(shown.prompt === null ? [] : ["", shown.prompt]),
      ...shown.feedback.flatMap((one) => [
        "",
        `Round ${one.review_iteration}: ${one.feedback_type}`,
        "",
        one.feedback,
        ...one.actionable_items.map(itemLine),
      ]),
      ...(shown.open_items.length === 0 ? [] : ["", `Open: ${shown.open_items.map((one) => one.item_id).join(", ")}`]),
    ]);
    return undefined;
  });

  const grant = shell
    .add({ name: "grant", summary: "Allow one more round", examples: ["review grant ID"] }, group)
    .argument("<id>", "the coder's id or the beginning of it");
  shell.does(grant, async (context, _options, [given = ""]) => {
    const api = await openApi(context);
    const granted = await api.call("review_grant", { id: await findId(api, given) });
    answer(context, granted, () => [`${granted.id} may ask for one more review.`]);
    return undefined;
  });
}

async function findId(api: Api, given: string): Promise<string> {
  const { instances } = await api.call("instance_list", { limit: 500 });
  return resolveIn(
    instances.map(({ id }) => id),
    given,
  );
}

const itemLine = (one: AnswerOf<"instance_get">["open_items"][number]): string =>
  `[${one.status === "done" ? "x" : " "}] ${one.item_id} ${one.description}${one.location === undefined ? "" : ` (${one.location})`}`;

/** Its status, and what its program does where that says more. */
function statusOf({ status, attention, program_state: state, terminated_at: endedAt }: Instance): string {
  const waits = endedAt === null && (state === "queued" || state === "starting") ? state : undefined;
  const more = attention?.kind.replaceAll("_", " ") ?? waits;
  return more === undefined ? status : `${status} (${more})`;
}

const rowOf = (one: Instance): string[] => [
  one.id,
  statusOf(one),
  one.agent ?? none,
  one.branch_name ?? none,
  String(one.review_iteration),
  agoText(one.last_activity),
  one.worktree_path,
];
