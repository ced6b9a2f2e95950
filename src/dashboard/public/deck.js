// The first deck: who is there and what happens, live. Everything shown is put in as text, never as markup.

const mostEvents = 200;
const part = (id) => document.getElementById(id);
let cursor;
let retryMs = 500;

async function ask(path, options = {}) {
  const response = await fetch(path, { headers: { "content-type": "application/json" }, ...options });
  const body = await response.json();
  if (!body.ok) throw Object.assign(new Error(body.error.message), { code: body.error.code });
  return body.result;
}

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}

function showSignIn(note) {
  part("sign-in").hidden = false;
  for (const id of ["crew", "activity", "sign-out"]) part(id).hidden = true;
  if (note) part("sign-in-note").textContent = note;
  setLive("off", "signed out");
}

function setLive(state, text) {
  part("live").dataset.state = state;
  part("live").textContent = text;
}

async function showAgents() {
  const { agents } = await ask("/api/agents?status=online,busy&limit=200");
  part("no-agents").hidden = agents.length > 0;
  part("agents").replaceChildren(
    ...agents.map((agent) => {
      const row = element("li", "", "");
      row.dataset.status = agent.status;
      row.append(
        element("span", "name", agent.name),
        element("span", "muted", `${agent.status} · ${agent.runtime} · ${agent.role}`),
        element("span", "muted", `for ${agent.developer}`),
      );
      return row;
    }),
  );
}

function showEvent(event) {
  part("no-events").hidden = true;
  const row = element("li", "", "");
  const time = element("time", "", new Date(event.ts).toLocaleTimeString());
  time.dateTime = event.ts;
  row.append(time, element("span", "name", event.event), element("span", "muted", event.data.name ?? event.subject));
  part("events").prepend(row);
  while (part("events").children.length > mostEvents) part("events").lastElementChild.remove();
}

function follow() {
  setLive("wait", "connecting…");
  const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
  socket.addEventListener("open", () => {
    retryMs = 500;
    setLive("on", "live");
    socket.send(JSON.stringify({ subscribe: ["*"], ...(cursor ? { after: cursor } : {}) }));
  });
  socket.addEventListener("message", ({ data }) => {
    const event = JSON.parse(data);
    if (!event.cursor) return;
    cursor = event.cursor;
    if (event.event !== "agent:heartbeat") showEvent(event);
    if (event.event.startsWith("agent:")) void showAgents();
  });
  socket.addEventListener("close", ({ code }) => {
    if (code === 4401) return showSignIn("This sign-in was revoked.");
    setLive("lost", "reconnecting…");
    setTimeout(follow, retryMs);
    retryMs = Math.min(retryMs * 2, 10_000);
  });
}

async function begin() {
  try {
    await ask("/api/me");
  } catch {
    const isExpired = new URLSearchParams(location.search).get("signin") === "expired";
    return showSignIn(isExpired ? "That link was used or is too old. Run crewdeck up for a new one." : undefined);
  }
  history.replaceState(null, "", "/");
  part("sign-in").hidden = true;
  for (const id of ["crew", "activity", "sign-out"]) part(id).hidden = false;
  await showAgents();
  const page = await ask("/api/events?limit=1000");
  for (const event of page.events.filter((one) => one.event !== "agent:heartbeat")) showEvent(event);
  cursor = page.next;
  follow();
}

part("sign-in-form").addEventListener("submit", async (submit) => {
  submit.preventDefault();
  try {
    await ask("/api/login", { method: "POST", body: JSON.stringify({ token: part("token").value }) });
    location.assign("/");
  } catch (error) {
    part("sign-in-note").textContent = `${error.message} Create a token with crewdeck token create.`;
  }
});

part("sign-out").addEventListener("click", async () => {
  await ask("/api/logout", { method: "POST", body: "{}" });
  location.assign("/");
});

await begin();
