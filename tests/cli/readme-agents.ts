import { expect } from "vitest";

/** What README tells its reader to say to agents, done as the text says: a sentence that nobody understands fails. */

export interface ReadmeAgent {
  call<T = Record<string, unknown>>(tool: string, args?: Record<string, unknown>): Promise<T>;
}

export interface Prompt {
  /** Where in the text it stands. */
  readonly at: number;
  readonly text: string;
  readonly to: string;
}

/** The quoted prompts in their order; one that names nobody is for whom the text before it names. */
export const promptsOf = (document: string): Prompt[] =>
  [...document.matchAll(/^> .+(?:\n> .+)*$/gm)].map(({ 0: quote, index }) => {
    const text = quote.replaceAll(/^> /gm, "").replaceAll("\n", " ");
    const named = /as "(\w+)"/.exec(text) ?? [...document.slice(0, index).matchAll(/Let (\w+) answer/g)].at(-1);
    return { at: index, text, to: named?.[1] ?? "nobody" };
  });

interface Member {
  readonly agent: ReadmeAgent;
  readonly id: string;
}

interface Message {
  readonly id: string;
  readonly sender_id: string;
}

export class ReadmeCrew {
  readonly #members = new Map<string, Member>();
  readonly #connect: () => Promise<ReadmeAgent>;
  /** What happens between two calls. */
  readonly #pause: () => Promise<unknown>;

  constructor(connect: () => Promise<ReadmeAgent>, pause: () => Promise<unknown> = async () => undefined) {
    this.#connect = connect;
    this.#pause = pause;
  }

  of(name: string): Member {
    const member = this.#members.get(name);
    if (!member) throw new Error(`README lets ${name} act before it has registered.`);
    return member;
  }

  async hear({ text, to }: Prompt): Promise<void> {
    for (const sentence of text.split(/(?<=\.) /)) {
      const deed = this.#deeds.find(([pattern]) => pattern.test(sentence));
      if (!deed) throw new Error(`README tells ${to} something that no test does: ${sentence}`);
      await deed[1](to, deed[0].exec(sentence) ?? []);
      await this.#pause();
    }
  }

  readonly #deeds: readonly (readonly [RegExp, (who: string, said: readonly string[]) => Promise<unknown>])[] = [
    [/^Register with crewdeck as "\w+"\.$/, (who) => this.#register(who)],
    [/^Tell me your agent id\.$/, async (who) => expect(this.of(who).id).toMatch(/^ag_/)],
    [
      /^List the agents that are online, then ask (\w+) (.+)\.$/,
      (who, [, peer = "", question = ""]) => this.#ask(who, peer, question),
    ],
    [/^Read your crewdeck mailbox and answer what you find\.$/, (who) => this.#answer(who)],
  ];

  async #register(name: string): Promise<void> {
    const agent = await this.#connect();
    const runtime = this.#members.size === 0 ? "claude_code" : "codex";
    const { id } = await agent.call<{ id: string }>("agent_register", { name, runtime });
    this.#members.set(name, { agent, id });
  }

  async #ask(name: string, peer: string, body: string): Promise<void> {
    const { agent, id } = this.of(name);
    const { agents } = await agent.call<{ agents: { id: string; name: string }[] }>("agent_list", {
      status: ["online"],
    });
    expect(agents.map((one) => one.name).sort()).toEqual([...this.#members.keys()].sort());
    const recipient_id = agents.find((one) => one.name === peer)?.id;
    await this.#pause();
    const sent = await agent.call("message_send", { sender_id: id, recipient_id, message_type: "query", body });
    // Nobody is told that the other one is away.
    expect(sent).not.toHaveProperty("recipient_status");
  }

  async #answer(name: string): Promise<void> {
    const { agent, id } = this.of(name);
    const { messages } = await agent.call<{ messages: Message[] }>("message_list", { agent_id: id });
    expect(messages.length).toBeGreaterThan(0);
    for (const { id: reply_to_id, sender_id: recipient_id } of messages) {
      await this.#pause();
      const body = "src/login.ts";
      await agent.call("message_send", { sender_id: id, recipient_id, message_type: "response", body, reply_to_id });
    }
  }
}
