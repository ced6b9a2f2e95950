/** Any way to call a tool that answers its value: dispatch, MCP, HTTP or the command line. */
export type CallTool = (tool: string, args: Record<string, unknown>) => Promise<Record<string, unknown>>;

export type Input = Record<string, unknown>;

/**
 * Makes the examples of the definitions callable. The function it answers puts real ids where an input has `$agent`,
 * `$peer`, `$message`, `$repository`, `$token` or `$handle`, and creates the records that stand behind them: new ones
 * for each input and only those it names, so that examples can run in any order and any number of times.
 */
export function prepareExamples(call: CallTool): (input: Input) => Promise<Input> {
  return async (input) => {
    const records = new Records(call);
    return (await fill(input, records)) as Input;
  };
}

async function fill(value: unknown, records: Records): Promise<unknown> {
  if (typeof value === "string") return value.startsWith("$") ? records.get(value) : value;
  if (Array.isArray(value)) return Promise.all(value.map((item) => fill(item, records)));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(async ([key, item]) => [key, await fill(item, records)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

let count = 0;

/** The records of one example, made when they are first asked for. */
class Records {
  readonly #call: CallTool;
  readonly #made = new Map<string, Promise<string>>();

  constructor(call: CallTool) {
    this.#call = call;
  }

  get(placeholder: string): Promise<string> {
    const made = this.#made.get(placeholder) ?? this.#make(placeholder);
    this.#made.set(placeholder, made);
    return made;
  }

  async #make(placeholder: string): Promise<string> {
    count += 1;
    switch (placeholder) {
      case "$agent":
      case "$peer":
        return this.#id("agent_register", { name: `Example ${count}`, runtime: "custom" });
      case "$message":
        return this.#id("message_send", {
          sender_id: await this.get("$peer"),
          recipient_id: await this.get("$agent"),
          message_type: "notification",
          body: "The build is green again.",
        });
      case "$repository": {
        const path = `/srv/code/example-${process.pid}-${count}`;
        await this.#call("repository_register", { path });
        return path;
      }
      case "$token":
        return this.#id("token_create", { label: `example ${count}` });
      case "$handle": {
        const handle = `example-${process.pid}-${count}`;
        await this.#call("developer_create", { handle });
        return handle;
      }
      default:
        throw new Error(`no example record is called ${placeholder}`);
    }
  }

  async #id(tool: string, args: Input): Promise<string> {
    return String((await this.#call(tool, args))["id"]);
  }
}
