import { type Api, apiAt } from "../api.ts";
import type { Context } from "../context.ts";

/** Somebody of the example team: a developer with an agent that works for them. */
export class Teammate {
  readonly handle: string;
  readonly #api: Api;
  sessionId = "";

  constructor(handle: string, api: Api) {
    this.handle = handle;
    this.#api = api;
  }

  call<T = Record<string, unknown>>(tool: string, args: object): Promise<T> {
    return this.#api.call<T>(tool, args);
  }

  /** A tool of the team family, which answers its facts under `data`. */
  async tell<T = Record<string, unknown>>(tool: string, args: object): Promise<T> {
    return (await this.call<{ data: T }>(tool, args)).data;
  }

  async beginSession(ask: { agent_name: string; agent_type: string; model: string; repo: string; branch: string }) {
    const { session_id } = await this.tell<{ session_id: string }>("covibe_session", { operation: "start", ...ask });
    this.sessionId = session_id;
  }

  /** Checks and starts a piece of work, as every agent has to. Answers its id, or nothing if it was kept from starting. */
  async start(work: { title: string; task_type: string } & Record<string, unknown>): Promise<string | undefined> {
    const ask = { ...work, session_id: this.sessionId };
    await this.call("covibe_task", { operation: "check", ...ask });
    const { task_id } = await this.tell<{ task_id?: string }>("covibe_task", { operation: "start", ...ask });
    return task_id;
  }
}

/** Adds a developer to the team and answers them, signed in with a token of their own. */
export async function inviteTeammate(
  owner: Api,
  context: Pick<Context, "home" | "env">,
  person: { handle: string; name: string; private?: boolean },
): Promise<Teammate> {
  await owner.call("developer_create", person);
  const { token } = await owner.call<{ token: string }>("token_create", { developer: person.handle, label: "demo" });
  return new Teammate(
    person.handle,
    apiAt(owner.origin, context, () => token),
  );
}
