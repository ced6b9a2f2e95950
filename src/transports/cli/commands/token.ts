import type { AnswerOf, InputOf } from "../../../tools/calls.ts";
import { openApi } from "../api.ts";
import { answer, note } from "../context.ts";
import type { Shell } from "../shell.ts";
import { table } from "../text.ts";

type Token = AnswerOf<"token_list">["tokens"][number];

export function addTokens(shell: Shell): void {
  const group = shell.add({
    name: "token",
    summary: "The tokens with which agents and programs sign in",
    examples: ["token list", "token create --label laptop --agent-type codex", "token revoke ID"],
  });

  const create = shell
    .add(
      {
        name: "create",
        summary: "Make a token; its text is shown this once",
        examples: ["token create", "token create --developer ada --label ci --json"],
      },
      group,
    )
    .option("--developer <handle>", "whose token it is (default: yours)")
    .option("--label <text>", "what it is for")
    .option("--agent-type <type>", "bind it to one kind of agent: claude-code, codex, cursor");
  shell.does<{ developer?: string; label?: string; agentType?: InputOf<"token_create">["agent_type"] }>(
    create,
    async (context, options) => {
      const { agentType, ...rest } = options;
      const ask = agentType === undefined ? rest : { ...rest, agent_type: agentType };
      const { id, token } = await (await openApi(context)).call("token_create", ask);
      answer(context, { id, token }, () => [token ?? ""]);
      note(context, `Keep it now, it is not shown again. End it with: crewdeck token revoke ${id}`);
      return undefined;
    },
  );

  const list = shell.add({ name: "list", summary: "Show which tokens exist", examples: ["token list --json"] }, group);
  shell.does(list, async (context) => {
    const { tokens } = await (await openApi(context)).call("token_list", {});
    answer(context, { tokens }, () =>
      tokens.length === 0
        ? ["No tokens. Make one with: crewdeck token create"]
        : table([["ID", "DEVELOPER", "LABEL", "FOR", "MADE", "STATE"], ...tokens.map(rowOf)]),
    );
    return undefined;
  });

  const revoke = shell
    .add({ name: "revoke", summary: "End a token at once", examples: ["token revoke tok_01jd8"] }, group)
    .argument("<id>", "the token's id, as `crewdeck token list` shows it");
  shell.does(revoke, async (context, _options, [id = ""]) => {
    await (await openApi(context)).call("token_revoke", { id });
    answer(context, { id, revoked: true }, () => [`Revoked ${id}.`]);
    return undefined;
  });
}

const rowOf = (token: Token): string[] => [
  token.id,
  token.developer,
  token.label,
  token.agent_type ?? "any",
  token.created_at.slice(0, 10),
  token.revoked_at === null ? "live" : "revoked",
];
