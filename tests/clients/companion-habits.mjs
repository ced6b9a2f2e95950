import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { subAgentPrompt } from "./companion.mjs";

const session = "11111111-2222-4333-8444-555555555555";

const subAgent = { description: "help", prompt: subAgentPrompt, subagent_type: "general-purpose" };

export const claudeCodeHabits = {
  client: "claude-code",
  takesWord: true,
  prepare: () => undefined,
  write: (file) => ({ tool: "Write", input: { file_path: file, content: "x" } }),
  turn: (place, command, model, { args = [], prompt = "Write both files." } = {}) =>
    place.run(command, ["-p", prompt, "--output-format", "json", "--permission-mode", "acceptEdits", ...args], {
      ANTHROPIC_API_KEY: "none",
      ANTHROPIC_BASE_URL: model.url,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    }),
  first: { args: ["--session-id", session] },
  further: [
    ["resume", { args: ["--resume", session] }],
    ["fork", { args: ["--resume", session, "--fork-session"] }],
    ["a sub-agent", { args: ["--resume", session], steps: [{ tool: "Agent", input: subAgent }] }],
    ["compaction", { args: ["--resume", session], prompt: "/compact", isUnwritten: true }],
    ["what follows it", { args: ["--resume", session] }],
  ],
};

export const codexHabits = {
  client: "codex",
  // It writes down by itself that it trusts the folder.
  isOwn: /\n\[projects\.[^\n]+\]\ntrust_level = "trusted"\n/,
  takesWord: true,
  prepare(place, model) {
    mkdirSync(join(place.root, ".codex"), { recursive: true });
    const lines = [
      "# Somebody's own line.",
      "check_for_update_on_startup = false",
      'model_provider = "stand-in"',
      "",
      "[analytics]",
      "enabled = false",
      "[features]",
      "apps = false",
      "plugins = false",
      "[model_providers.stand-in]",
      'name = "stand-in"',
      `base_url = ${JSON.stringify(`${model.url}/v1`)}`,
      "",
    ];
    writeFileSync(join(place.root, ".codex", "config.toml"), lines.join("\n"));
  },
  write(file) {
    const patch = `*** Begin Patch\n*** Add File: ${basename(file)}\n+x\n*** End Patch`;
    return { tool: "exec", input: `text(await tools.apply_patch(${JSON.stringify(patch)}));` };
  },
  turn: (place, command, _model, { words = [] } = {}) =>
    place.run(command, [
      "exec",
      "--json",
      "--dangerously-bypass-hook-trust",
      "-s",
      "workspace-write",
      ...(typeof words === "function" ? words(place) : words),
      "Write both files.",
    ]),
  further: [
    ["resume", { words: ["resume", "--last"] }],
    ["fork", { words: (place) => ["fork", firstThread(place)] }],
  ],
};

const firstThread = (place) =>
  readdirSync(join(place.root, ".codex", "sessions"), { recursive: true })
    .sort()
    .flatMap((name) => /([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl$/.exec(name)?.[1] ?? [])[0];

export const geminiHabits = {
  client: "gemini",
  prepare(place) {
    mkdirSync(join(place.root, ".gemini"), { recursive: true });
    const settings = { security: { auth: { selectedType: "gemini-api-key" } } };
    writeFileSync(join(place.root, ".gemini", "settings.json"), JSON.stringify(settings));
  },
  write: (file) => ({ tool: "write_file", input: { file_path: file, content: "x" } }),
  turn: (place, command, model, { args = [] } = {}) =>
    place.run(command, ["-p", "Write both files.", "-o", "json", "--approval-mode", "auto_edit", ...args], {
      GOOGLE_GEMINI_BASE_URL: model.url,
      GEMINI_API_KEY: "none",
      GEMINI_CLI_TRUST_WORKSPACE: "true",
    }),
  first: { args: ["--session-id", session] },
  further: [["resume", { args: ["--resume", session] }]],
};

export const opencodeHabits = {
  client: "opencode",
  prepare(place, model) {
    const provider = {
      npm: "@ai-sdk/openai-compatible",
      options: { baseURL: `${model.url}/v1`, apiKey: "none" },
      models: { m: { name: "m" } },
    };
    // It adds the first of these by itself.
    const config = {
      $schema: "https://opencode.ai/config.json",
      model: "stand-in/m",
      provider: { "stand-in": provider },
      permission: "allow",
      autoupdate: false,
    };
    writeFileSync(join(place.work, "opencode.json"), `${JSON.stringify(config, null, 4)}\n`);
  },
  write: (file) => ({ tool: "write", input: { filePath: file, content: "x" } }),
  turn: (place, command, _model, { args = [] } = {}) =>
    place.run(command, ["run", "--format", "json", ...args, "Write both files."]),
  further: [["resume", { args: ["--continue"] }]],
};

export const copilotHabits = {
  client: "copilot",
  prepare: () => undefined,
  write: (file) => ({ tool: "create", input: { path: file, file_text: "x" } }),
  turn: (place, command, model, { args = [] } = {}) =>
    place.run(command, ["-p", "Write both files.", "--allow-all-tools", ...args], {
      COPILOT_PROVIDER_BASE_URL: `${model.url}/v1`,
      COPILOT_MODEL: "stand-in",
      COPILOT_OFFLINE: "true",
    }),
  first: { args: ["--session-id", session] },
  further: [["resume", { args: ["--resume", session] }]],
};
