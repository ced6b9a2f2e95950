import type { InputOf } from "../../../tools/calls.ts";
import { type Api, apiAt } from "../api.ts";
import type { Context } from "../context.ts";

type TaskCheck = Extract<InputOf<"covibe_task">, { operation: "check" }>;
type Work = Omit<TaskCheck, "operation" | "session_id" | "task_type"> & {
  readonly task_type: NonNullable<TaskCheck["task_type"]>;
};

/** Somebody of the example team: a developer with an agent that works for them. */
export class Teammate {
  readonly handle: string;
  readonly #api: Api;
  sessionId = "";

  constructor(handle: string, api: Api) {
    this.handle = handle;
    this.#api = api;
  }

  get call(): Api["call"] {
    return this.#api.call;
  }

  async beginSession(ask: { agent_name: string; agent_type: string; model: string; repo: string; branch: string }) {
    const { data } = await this.call("covibe_session", { operation: "start", ...ask });
    this.sessionId = data.session_id;
  }

  /** Checks and starts a piece of work, as every agent has to. Answers its id, or nothing if it was kept from starting. */
  async start(work: Work): Promise<string | undefined> {
    const ask = { ...work, session_id: this.sessionId };
    await this.call("covibe_task", { operation: "check", ...ask });
    const { data } = await this.call("covibe_task", { operation: "start", ...ask });
    return data.task_id;
  }
}

/** Adds a developer to the team and answers them, signed in with a token of their own. */
export async function inviteTeammate(
  owner: Api,
  context: Pick<Context, "home" | "env">,
  person: { handle: string; name: string; private?: boolean },
): Promise<Teammate> {
  await owner.call("developer_create", person);
  const { token } = await owner.call("token_create", { developer: person.handle, label: "demo" });
  return new Teammate(
    person.handle,
    apiAt(owner.origin, context, () => token ?? undefined),
  );
}
