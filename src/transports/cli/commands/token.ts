import { Refusal } from "../../../contract/refusal.ts";
import type { AnswerOf, InputOf } from "../../../tools/calls.ts";
import { openApi } from "../api.ts";
import { answer, note } from "../context.ts";
import { resolveIn } from "../record.ts";
import { styleOf } from "../screen.ts";
import type { Shell } from "../shell.ts";
import { type Cell, table } from "../table.ts";
import { agoText, shortIds } from "../text.ts";

type Token = AnswerOf<"token_list">["tokens"][number];
type Ask = InputOf<"token_create">;

export function addTokens(shell: Shell): void {
  const group = shell.add({
    name: "token",
    summary: "Manage the tokens agents and programs sign in with",
    examples: ["token list", "token create --label laptop --agent-type codex", "token revoke ID"],
  });

  const create = shell
    .add(
      {
        name: "create",
        alias: "add",
        summary: "Create a token; it is shown only once",
        examples: ["token create", "token create --developer ada --label ci --json", "token create --expires 30"],
      },
      group,
    )
    .option("--developer <handle>", "owner of the token (default: you)")
    .option("--label <text>", "what it is for")
    .option("--agent-type <type>", "limit it to one client: claude-code, codex, cursor")
    .option("--expires <when>", "days from now, such as 30, or the last day, such as 2027-01-31 (default: never)");
  shell.does<{ developer?: string; label?: string; agentType?: Ask["agent_type"]; expires?: string }>(
    create,
    async (context, { agentType, expires, ...rest }) => {
      const ask: Ask = {
        ...rest,
        ...(agentType === undefined ? {} : { agent_type: agentType }),
        ...(expires === undefined ? {} : readExpiry(expires)),
      };
      const { id, token } = await (await openApi(context)).call("token_create", ask);
      answer(context, { id, token }, () => [token ?? ""]);
      const advice = `Copy it now; it is not shown again. Revoke it with: crewdeck token revoke ${id}`;
      note(context, advice, process.stderr);
      return undefined;
    },
  );

  const list = shell.add({ name: "list", summary: "List tokens", examples: ["token list --json"] }, group);
  shell.does(list, async (context) => {
    const { tokens } = await (await openApi(context)).call("token_list", {});
    answer(context, { tokens }, () =>
      tokens.length === 0
        ? ["No tokens. Create one with: crewdeck token create"]
        : table(tokens.map(rowOf(shortIds(tokens.map(({ id }) => id)))), {
            screen: context.screen,
            heading: ["ID", "DEVELOPER", "LABEL", "CLIENT", "CREATED", "USED", "EXPIRES", "STATUS"],
            flexible: [2, 1],
            optional: [3, 4, 5, 6],
          }),
    );
    return undefined;
  });

  const revoke = shell
    .add({ name: "revoke", summary: "Revoke a token", examples: ["token revoke tok_01jd8"] }, group)
    .argument("<id>", "the token's id or the beginning of it");
  shell.does(revoke, async (context, _options, [given = ""]) => {
    const api = await openApi(context);
    const { tokens } = await api.call("token_list", {});
    const id = resolveIn(
      tokens.map((token) => token.id),
      given,
    );
    await api.call("token_revoke", { id });
    answer(context, { id, revoked: true }, () => [`Revoked ${id}.`]);
    return undefined;
  });
}

const rowOf =
  (short: (id: string) => string) =>
  (token: Token): Cell[] => [
    short(token.id),
    token.developer,
    token.label,
    token.browser ? "browser" : (token.agent_type ?? "any"),
    agoText(token.created_at),
    token.last_used_at === null ? "never" : agoText(token.last_used_at),
    token.expires_at === null ? "never" : dayOf(token.expires_at),
    standingOf(token),
  ];

/** The day, where the reader is. */
const dayOf = (at: string): string => new Date(at).toLocaleDateString("sv");

/** Days from now, or a day at whose end it expires. */
function readExpiry(text: string): Pick<Ask, "expires_in_days" | "expires_at"> {
  const days = /^([1-9]\d{0,3})d?$/.exec(text)?.[1];
  if (days !== undefined) return { expires_in_days: Number(days) };
  const [year = 0, month = 0, day = 0] = /^\d{4}-\d{2}-\d{2}$/.test(text) ? text.split("-").map(Number) : [];
  const end = new Date(year, month - 1, day, 23, 59, 59);
  if (year > 0 && end.getMonth() === month - 1 && end.getDate() === day) return { expires_at: end.toISOString() };
  throw new Refusal(
    "INVALID_REQUEST",
    `"${text}" is neither a number of days nor a date.`,
    "For example: crewdeck token create --expires 30, or --expires 2027-01-31",
  );
}

function standingOf({ revoked_at, expires_at }: Token): Cell {
  if (revoked_at !== null) return { text: "revoked", style: "red" };
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) return { text: "expired", style: "red" };
  return { text: "active", style: styleOf("active") };
}
