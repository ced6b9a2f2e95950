/** Random histories, and a model of what must have come of them. */
export class History {
  #client;
  #random;
  #isOver = () => false;
  #open = [];
  #agents = [];
  /** Acknowledged: names of agents, ids of messages by recipient, who was told that they have a task. */
  registered = new Set();
  messages = new Map();
  claims = new Map();
  completed = new Set();
  refused = new Map();

  constructor({ client, random }) {
    this.#client = client;
    this.#random = random;
  }

  async run(workers, isOver) {
    this.#isOver = isOver;
    await Promise.all(Array.from({ length: workers }, (_, place) => this.#work(place)));
  }

  async #work(place) {
    const agent = await this.#register(`worker ${place}`);
    while (!this.#isOver()) {
      const chance = this.#random();
      if (chance < 0.35) await this.#write(agent);
      else if (chance < 0.8) await this.#take(agent);
      else if (chance < 0.9) await this.#call("agent_heartbeat", { agent_id: agent });
      else if (chance < 0.97) await this.#client.call("task_get_available", { agent_id: agent });
      else await this.#register(`guest ${place} ${this.registered.size} ${this.#random()}`);
    }
  }

  async #register(name) {
    const { id } = await this.#call("agent_register", { name, runtime: "custom" });
    this.registered.add(name);
    this.#agents.push(id);
    return id;
  }

  async #write(agent) {
    const recipient = this.#pick(this.#agents);
    const letter = { sender_id: agent, recipient_id: recipient, message_type: "notification", body: "x".repeat(50) };
    const sent = await this.#call("message_send", letter);
    if (sent) this.messages.set(sent.id, recipient);
  }

  /** Several workers reach for the same task; one may be told that it has it. */
  async #take(agent) {
    if (this.#open.length < 20) await this.#plan();
    const task = this.#pick(this.#open);
    const taken = await this.#call("task_claim", { task_id: task, agent_id: agent });
    if (!taken?.success) return;
    this.claims.set(task, [...(this.claims.get(task) ?? []), agent]);
    this.#open = this.#open.filter((one) => one !== task);
    for (const status of ["planning", "in_progress"]) await this.#call("task_update_status", { id: task, status });
    const done = { id: task, status: "completed", outcome: "It works." };
    if (await this.#call("task_update_status", done)) this.completed.add(task);
  }

  async #plan() {
    const made = await this.#call("workflow_create", { name: "Soak", source_type: "prompt", source_content: "Work." });
    const tasks = Array.from({ length: 40 }, (_, place) => ({ name: `T${place}`, description: "d", sequence: place }));
    await this.#call("workflow_set_plan", { id: made.id, plan: { summary: "s", approach: "a", tasks } });
    const workflow = await this.#client.read(`/api/workflows/${made.id}`);
    this.#open.push(...workflow.tasks.map(({ id }) => id));
  }

  async #call(tool, args) {
    const { value, code } = await this.#client.call(tool, args);
    if (code !== undefined) this.refused.set(`${tool} ${code}`, (this.refused.get(`${tool} ${code}`) ?? 0) + 1);
    return value;
  }

  #pick(list) {
    return list[Math.floor(this.#random() * list.length)];
  }
}
