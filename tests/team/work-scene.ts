import type { Caller } from "../../src/contract/caller.ts";
import type { TestHouse } from "../../src/testing/house.ts";

/** What every tool of the team family answers. */
export interface Answer {
  readonly status: "ok" | "warning" | "blocked" | "error";
  readonly message: string;
  readonly feedback: { readonly type: string; readonly required_action: string | null };
  readonly data: Record<string, unknown>;
}

export interface Candidate {
  readonly id: string;
  readonly title: string;
  readonly owner: string;
  readonly status: string;
  readonly same_developer: boolean;
}

type Args = Record<string, unknown>;

/** One developer at work, from one session or from none. */
export class Worker {
  readonly house: TestHouse;
  readonly caller: Caller;
  readonly session: string | undefined;

  constructor(house: TestHouse, caller: Caller, session?: string) {
    this.house = house;
    this.caller = caller;
    this.session = session;
  }

  /** The same developer in a session of its own. */
  async inSession(): Promise<Worker> {
    const { data } = await this.call("covibe_session", { operation: "start", agent_name: "Test" });
    return new Worker(this.house, this.caller, String(data["session_id"]));
  }

  call(tool: string, args: Args): Promise<Answer> {
    return this.house.call<Answer>(tool, this.#named(args), this.caller);
  }

  refusal(tool: string, args: Args): Promise<string> {
    return this.house.refusal(tool, this.#named(args), this.caller);
  }

  task(operation: string, args: Args): Promise<Answer> {
    return this.call("covibe_task", { operation, ...args });
  }

  stream(operation: string, args: Args): Promise<Answer> {
    return this.call("covibe_workstream", { operation, ...args });
  }

  check(title: string, more: Args = {}): Promise<Answer> {
    return this.task("check", { title, task_type: "feature", ...more });
  }

  plan(title: string, more: Args = {}): Promise<Answer> {
    return this.task("plan", { title, task_type: "feature", ...more });
  }

  start(title: string, more: Args = {}): Promise<Answer> {
    return this.task("start", { title, task_type: "feature", ...more });
  }

  /** Checks and starts what nobody else does; answers the task's id. */
  async begin(title: string, more: Args = {}): Promise<string> {
    await this.check(title, more);
    return idOf(await this.start(title, more));
  }

  /** The same for a workstream. */
  async beginStream(title: string, more: Args = {}): Promise<string> {
    await this.stream("check", { title, ...more });
    return idOf(await this.stream("start", { title, ...more }), "workstream_id");
  }

  #named(args: Args): Args {
    return this.session === undefined ? args : { ...args, session_id: this.session };
  }
}

export const workerOf = (house: TestHouse, caller: Caller = house.owner): Worker => new Worker(house, caller);

export async function newWorker(house: TestHouse, handle: string, ask: Args = {}): Promise<Worker> {
  return new Worker(house, (await house.developer(handle, ask)).caller);
}

export function idOf(answer: Answer, key = "task_id"): string {
  const id = answer.data[key];
  if (typeof id !== "string") throw new Error(`no ${key} in ${JSON.stringify(answer)}`);
  return id;
}

export const candidatesOf = (answer: Answer): Candidate[] => answer.data["candidates"] as Candidate[];

export const candidateIds = (answer: Answer): string[] => candidatesOf(answer).map(({ id }) => id);

/** The same verdict about every candidate. */
export const judgeAll = (answer: Answer, verdict = "different_scope"): Args => ({
  check_id: answer.data["check_id"],
  scope_verdict: candidateIds(answer).map((candidate_id) => ({
    candidate_id,
    verdict,
    reason: "I have read both and compared them.",
  })),
});

/** A title that nothing else is like. */
export const alone = "Translate the ferry timetable into Finnish";
/** The same work in two wordings that must escalate. */
export const wording = "Retry failed webhook deliveries with exponential backoff";
