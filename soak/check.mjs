/** Compares what is stored with what was acknowledged; answers every contradiction in words. */
export async function findFaults({ client, history, followers, from, last }) {
  const faults = [];
  const events = await readLedger(client, from);
  const createdOnce = countBy(events.filter(({ kind }) => kind === "message.sent").map(({ subject }) => subject));
  for (const id of history.messages.keys()) {
    if (createdOnce.get(id) !== 1) faults.push(`message ${id} was sent ${createdOnce.get(id) ?? 0} times`);
  }
  const names = countBy((await readAgents(client)).map(({ name }) => name));
  for (const name of history.registered) {
    if (names.get(name) !== 1) faults.push(`agent ${name} is there ${names.get(name) ?? 0} times`);
  }
  for (const [task, takers] of history.claims) {
    if (new Set(takers).size !== 1) faults.push(`task ${task} was given to ${takers.join(" and ")}`);
  }
  for (const task of history.completed) {
    const { status } = await client.read(`/api/tasks/${task}`);
    if (status !== "completed") faults.push(`task ${task} was completed and is ${status}`);
  }
  const heardOf = events.slice(0, events.findIndex(({ cursor }) => cursor === last) + 1);
  const ledger = heardOf.map(({ cursor }) => cursor);
  const known = new Set(ledger);
  followers.forEach(({ cursors }, place) => {
    // Feedback is heard live and has no page of its own.
    const heard = cursors.filter((cursor) => known.has(cursor));
    if (new Set(cursors).size !== cursors.length) faults.push(`follower ${place} heard something twice`);
    if (heard.join() === ledger.join()) return;
    const at = ledger.findIndex((cursor, index) => heard[index] !== cursor);
    const wrong = `entry ${at + 1}, ${heardOf[at]?.kind}, is the first that is not in its place`;
    faults.push(`follower ${place} heard ${heard.length} of ${ledger.length}: ${wrong}`);
  });
  const verified = await client.read("/api/verify");
  if (!verified.isIntact) faults.push(`verify: ${verified.reason} ${verified.problems.join(" ")}`);
  return { faults, events: events.length };
}

async function readAgents(client) {
  const agents = [];
  for (;;) {
    const page = (await client.read(`/api/agents?limit=100&offset=${agents.length}`)).agents;
    agents.push(...page);
    if (page.length < 100) return agents;
  }
}

export async function readLedger(client, from) {
  const events = [];
  for (let after = from; ; ) {
    const page = await client.read(`/api/events?limit=1000&after=${after}`);
    events.push(...page.events);
    if (page.events.length < 1_000) return events;
    after = page.next;
  }
}

function countBy(keys) {
  const counts = new Map();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
