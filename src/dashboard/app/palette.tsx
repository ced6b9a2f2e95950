import { type KeyboardEvent, useEffect, useMemo, useState } from "react";
import type { ToolEntry } from "../../contract/plain-routes.ts";
import { agentsReading } from "../data/agents.ts";
import { mailReading } from "../data/mail.ts";
import { identityOf, sayIdentity } from "../data/names.ts";
import { repositoryName } from "../data/task.ts";
import { toolsReading } from "../data/tools.ts";
import { useReading } from "../data/use-reading.ts";
import { openOverlay } from "../page/overlay.ts";
import { go } from "../page/router.ts";
import { textOfBody } from "../parts/body-text.ts";
import { Dialog } from "../parts/dialog.tsx";
import { ToolForm } from "../parts/tool-form.tsx";
import { boardReading } from "../views/board/board-model.ts";
import { missionsReading } from "../views/missions/missions-model.ts";
import { settingsTabNames, settingsTabs } from "../views/settings/settings-tabs.ts";
import { workflowsReading } from "../views/workflows/workflows-model.ts";
import { addContent, type Content, contentReading, type PaletteItem, rankItems } from "./palette-model.ts";
import { views } from "./views.ts";
import "./palette.css";

/** Every view, every task and agent, every tool of the catalogue, by typing a few letters. */
export function Palette({ onClose }: { onClose(): void }) {
  const [tool, setTool] = useState<ToolEntry>();
  const [answer, setAnswer] = useState<unknown>();
  if (tool) {
    return (
      <Dialog title={tool.title ?? tool.name} size="large" onClose={onClose}>
        {answer === undefined ? (
          <ToolForm tool={tool} onDone={setAnswer} />
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
          <pre className="palette-answer" tabIndex={0}>
            {JSON.stringify(answer, null, 2)}
          </pre>
        )}
      </Dialog>
    );
  }
  return (
    <Dialog title="Find anything" size="large" onClose={onClose}>
      <Finder
        onChoose={(item) => {
          if (item.kind === "tool") return setTool(item.tool);
          if (item.kind === "overlay") return openOverlay(item.overlay);
          onClose();
          go(item.to);
        }}
      />
    </Dialog>
  );
}

function Finder({ onChoose }: { onChoose(item: PaletteItem): void }) {
  const items = useItems();
  const [typed, setTyped] = useState("");
  const [current, setCurrent] = useState(0);
  const content = useContent(typed);
  const found = useMemo(() => addContent(rankItems(items, typed), content), [items, typed, content]);
  const chosen = found[Math.min(current, found.length - 1)];

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setCurrent(Math.max(0, Math.min(found.length - 1, current + step)));
    } else if (event.key === "Enter" && chosen) {
      event.preventDefault();
      onChoose(chosen);
    }
  }

  return (
    <div className="palette">
      <input
        type="text"
        role="combobox"
        aria-label="Find tasks, notes, files, messages, agents, settings and actions"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={chosen ? `palette-${chosen.id}` : undefined}
        placeholder="Find tasks, notes, files, messages, settings, actions…"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setCurrent(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-list" role="listbox" aria-label="Found" className="palette-list">
        {found.map((item) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the input's, which keeps the focus.
          <div
            key={item.id}
            id={`palette-${item.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={item === chosen}
            ref={item === chosen ? scrollToIt : null}
            onClick={() => onChoose(item)}
          >
            <span className="cut">{item.title}</span>
            <span className="muted small cut">{item.note}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="muted">No results.</p>}
    </div>
  );
}

const scrollToIt = (element: HTMLElement | null): void => element?.scrollIntoView({ block: "nearest" });

/** What the server finds in the words of tasks and notes, once the reader pauses. */
function useContent(typed: string): readonly Content[] {
  const [settled, setSettled] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed.trim().toLowerCase()), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const { value } = useReading(useMemo(() => contentReading(settled), [settled]));
  return value !== undefined && settled === typed.trim().toLowerCase() ? value : noContent;
}

const pauseMs = 150;
const noContent: readonly Content[] = [];

function useItems(): readonly PaletteItem[] {
  const board = useReading(boardReading).value;
  const agents = useReading(agentsReading).value;
  const workflows = useReading(workflowsReading).value;
  const missions = useReading(missionsReading).value;
  const tools = useReading(toolsReading).value;
  const mail = useReading(mailReading).value;
  return useMemo(
    () => [
      ...views
        .filter((view) => view.group !== undefined)
        .map((view) => place(view.path, view.title, "view", view.path)),
      ...settings,
      ...plans,
      ...(board?.tasks ?? []).map((task) =>
        place(
          task.id,
          task.name,
          [
            "task",
            task.number && `#${task.number}`,
            task.repository && repositoryName(task.repository),
            task.holder,
            task.branch,
            task.status,
          ]
            .filter(Boolean)
            .join(" · "),
          `/tasks/${task.id}`,
        ),
      ),
      ...(workflows ?? [])
        .filter(({ id }) => !missions?.some((mission) => mission.mission_id === id))
        .map(({ id, name }) => place(id, name, "workflow", `/workflows/${id}`)),
      ...(missions ?? []).map(({ mission_id: id, name }) => place(id, name, "mission", `/missions/${id}`)),
      ...(agents ?? []).map((agent) =>
        place(
          agent.id,
          agent.name,
          ["agent", sayWho(agent.id), agent.status].filter(Boolean).join(" · "),
          `/agents?agent=${agent.id}`,
        ),
      ),
      ...(mail?.messages ?? []).map((message) =>
        place(
          message.id,
          message.subject ?? textOfBody(message.body).slice(0, 80),
          `message · ${textOfBody(message.body).slice(0, 300)}`,
          `/messages?thread=${encodeURIComponent(message.thread_id)}`,
        ),
      ),
      ...(tools ?? []).map(
        (tool): PaletteItem => ({
          kind: "tool",
          id: tool.name,
          title: tool.title ?? tool.name,
          note: `tool · ${tool.name}`,
          tool,
        }),
      ),
    ],
    [board, workflows, missions, agents, mail, tools],
  );
}

const settings: readonly PaletteItem[] = settingsTabNames.map((tab) => {
  const { title, words } = settingsTabs[tab];
  return place(`settings-${tab}`, title, `settings · ${words}`, `/settings?tab=${tab}`);
});

const plans: readonly PaletteItem[] = [
  { kind: "overlay", id: "plan-task", title: "Plan a task", note: "action", overlay: "plan-task" },
  { kind: "overlay", id: "plan-workstream", title: "Plan a workstream", note: "action", overlay: "plan-workstream" },
  place("new-workflow", "New workflow", "action · create", "/workflows?new=yes"),
  place("new-mission", "New mission", "action · create", "/missions?new=yes"),
];

/** The client and the owner of an agent. */
function sayWho(id: string): string | undefined {
  const identity = identityOf(id);
  return identity && sayIdentity(identity);
}

function place(id: string, title: string, note: string, to: string): PaletteItem {
  return { kind: "place", id, title, note, to };
}
