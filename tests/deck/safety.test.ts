import { expect, test } from "vitest";
import { serveDeck } from "./kit.ts";

const house = serveDeck();

const payloads = [
  "<script>window.pwned=1</script>",
  "<img src=x onerror=window.pwned=1>",
  "<svg/onload=window.pwned=1>",
  '"><iframe srcdoc="<script>parent.pwned=1</script>">',
  "<a href=javascript:window.pwned=1>click</a>",
  "[click](javascript:window.pwned=1)",
  "[click](JaVaScRiPt:window.pwned=1)",
  "[click](data:text/html,<script>window.pwned=1</script>)",
  "[click](vbscript:msgbox)",
  "![tracker](https://tracker.example/pixel.png)",
  "<form action=https://evil.example><button>go</button></form>",
  "<math><mtext></mtext><mglyph><style><img src=x onerror=window.pwned=1>",
  "{{constructor.constructor('window.pwned=1')()}}",
  `${"$"}{window.pwned=1}`,
  "<style>@import 'https://evil.example/x.css'</style>",
  "<!-- --><base href=https://evil.example/>",
  "https://user:secret@evil.example/",
  "\u202egnp.exe\u001b]52;c;AAAA\u0007",
];

test("[DK80] hostile text in every field an agent can write is text on every screen", async () => {
  const requests: string[] = [];
  const text = (place: number): string => payloads[place % payloads.length] ?? "";
  const agent = await house.agent(text(1).slice(0, 90), {
    workspace_path: `/srv/${text(0).replaceAll("/", "")}`,
    capabilities: [text(2)],
    metadata: { note: text(3) },
  });
  const peer = await house.agent("Peer");
  for (const [place, payload] of payloads.entries()) {
    const workflow = {
      name: `${place} ${payload}`,
      source_type: "prompt",
      source_content: payload,
      repository_path: "/srv/x",
    };
    const { id } = await agent.call<{ id: string }>("workflow_create", workflow);
    const task = { name: `${place} ${payload}`, description: payload, sequence: 1, files_likely_affected: [payload] };
    await agent.call("workflow_set_plan", { id, plan: { summary: payload, approach: payload, tasks: [task] } });
    await agent.call("message_send", {
      sender_id: agent.id,
      recipient_id: peer.id,
      message_type: "query",
      subject: `${place} ${payload}`,
      body: payload,
    });
  }
  const { tasks } = await agent.call<{ tasks: { id: string }[] }>("task_get_available", {
    agent_id: agent.id,
    limit: 50,
  });
  const [first] = tasks;
  await agent.call("task_claim", { task_id: first?.id, agent_id: agent.id });
  const steps = payloads;
  await agent.call("task_set_plan", {
    id: first?.id,
    plan: { approach: steps.join("\n\n"), steps, files_to_modify: steps },
  });
  for (const status of ["planning", "in_progress"]) await agent.call("task_update_status", { id: first?.id, status });
  for (const step of steps) await agent.call("checkpoint_add", { task_id: first?.id, type: "progress", summary: step });
  await agent.call("task_update_status", { id: first?.id, status: "failed", error: steps.join("\n\n") });

  const deck = await house.open("/deck/board");
  deck.page.on("request", (request) => requests.push(request.url()));
  const paths = [
    "board",
    "board?as=list",
    "agents",
    "activity",
    "messages",
    `tasks/${first?.id}`,
    `tasks/${first?.id}?tab=context`,
  ];
  for (const path of paths) {
    await deck.goto(`/deck/${path}`);
    await deck.page.locator(".row, .board-card, .thread, pre, .markdown").first().waitFor();
    const found = await deck.page.evaluate(() => ({
      pwned: "pwned" in window,
      made: document.querySelectorAll(
        "#deck script, #deck iframe, #deck form[action], #deck style, #deck base, #deck object",
      ).length,
      links: [...document.links].map((link) => link.protocol).filter((protocol) => !/^https?:$/.test(protocol)),
      pictures: [...document.images].filter((image) => !image.src.startsWith(location.origin)).length,
      secrets: [...document.links].filter((link) => link.password !== "").length,
    }));
    expect({ path, ...found }).toEqual({ path, pwned: false, made: 0, links: [], pictures: 0, secrets: 0 });
  }
  for (const thread of await deck.page.locator(".thread").all()) await thread.click();
  expect(requests.filter((url) => !url.startsWith(house.url))).toEqual([]);
  expect(deck.page.url()).toContain(house.url);
});

test("[DK80] a script that got in all the same could neither run inline nor turn text into markup", async () => {
  const deck = await house.open("/deck/board");
  deck.allow(/Content Security Policy|Trusted|inline|Refused|TrustedHTML/);
  // What the test itself evaluates is not held by the page's rules; what a timer runs is.
  const outcome = await deck.page.evaluate(
    () =>
      new Promise<Record<string, unknown>>((resolve) => {
        const tried: Record<string, string> = {};
        const attempt = (name: string, act: () => unknown): void => {
          try {
            act();
            tried[name] = "allowed";
          } catch {
            tried[name] = "refused";
          }
        };
        setTimeout(() => {
          const div = document.createElement("div");
          const script = document.createElement("script");
          document.body.append(div);
          attempt("markup", () => Object.assign(div, { innerHTML: "<img src=x onerror=window.pwned=1>" }));
          attempt("evaluation", () => Reflect.get(globalThis, "eval")("window.pwned = 1"));
          attempt("script", () => Object.assign(script, { text: "window.pwned = 1" }));
          attempt("policy", () => Reflect.get(window, "trustedTypes").createPolicy("mine", {}));
          div.append(script);
          // Fails after the picture above would have failed.
          const later = new Image();
          later.onerror = () => resolve({ ...tried, pwned: "pwned" in window });
          later.src = "x";
        });
      }),
  );
  expect(outcome).toEqual({
    markup: "refused",
    evaluation: "refused",
    script: "refused",
    policy: "refused",
    pwned: false,
  });
});

test("[DK81] the cookie is out of reach of scripts, and nothing that is kept holds a token", async () => {
  const deck = await house.open("/deck/board");
  const kept = await deck.page.evaluate(() => ({
    cookie: document.cookie,
    local: JSON.stringify({ ...localStorage }),
    session: JSON.stringify({ ...sessionStorage }),
    page: document.documentElement.outerHTML,
    address: location.href,
  }));
  expect(kept.cookie).toBe("");
  for (const text of Object.values(kept)) expect(text).not.toContain("cdk_");
});
