import { useState } from "react";
import { callTool } from "../data/api.ts";
import { programsReading } from "../data/instances.ts";
import { useReading } from "../data/use-reading.ts";
import { go } from "../page/router.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { ChoiceField, LineField, TextField } from "./field.tsx";
import type { AskedOfAgent } from "./task-agents.tsx";
import { say } from "./toast.tsx";

/** What people ask of agents about a task: to start, to review, to hand in. */
export function TaskAgentDialog({ asked, onClose }: { asked: AskedOfAgent; onClose(): void }) {
  if (asked.what === "start") return <StartDialog task={asked.task} onClose={onClose} />;
  if (asked.what === "review") return <ReviewDialog id={asked.instanceId} onClose={onClose} />;
  return <PullDialog id={asked.instanceId} task={asked.task} onClose={onClose} />;
}

const shortest = (text: string): string | undefined => (text.trim() === "" ? undefined : text);

interface StartProps {
  readonly task: AskedOfAgent["task"];
  onClose(): void;
}

function StartDialog({ task, onClose }: StartProps) {
  const programs = useReading(programsReading).value ?? [];
  const [path, setPath] = useState(task.repository ?? "");
  const [program, setProgram] = useState("");
  const [prompt, setPrompt] = useState("");
  const installed = programs.filter(({ installed }) => installed).map(({ name }) => name);
  async function send(): Promise<void> {
    const words = shortest(prompt);
    const { id } = await callTool("instance_start", {
      path: path.trim(),
      task_id: task.id,
      ...(program === "" ? {} : { agent: program }),
      ...(words === undefined ? {} : { prompt: words }),
    });
    go(`/instances/${id}`);
  }
  return (
    <ActionDialog title="Start an agent" verb="Start agent" canSend={path.trim() !== ""} send={send} onClose={onClose}>
      <p>
        The agent works on <span className="strong">{task.name}</span> in a worktree of its own, on a new branch.
      </p>
      <LineField label="Repository folder" required maxLength={4_096} value={path} onChange={setPath} />
      <ChoiceField
        label="Program"
        none={installed[0] === undefined ? "None installed" : `Default (${installed[0]})`}
        choices={installed}
        value={program}
        onChange={setProgram}
      />
      <TextField label="Instructions (optional)" maxLength={100_000} value={prompt} onChange={setPrompt} />
    </ActionDialog>
  );
}

function ReviewDialog({ id, onClose }: { id: string; onClose(): void }) {
  const [focus, setFocus] = useState("");
  async function send(): Promise<void> {
    const words = shortest(focus);
    const { review_instance_id: reviewer } = await callTool("instance_review", {
      id,
      ...(words === undefined ? {} : { reviewer_prompt: words }),
    });
    say("Review started.", { action: { label: "Open", act: () => go(`/instances/${reviewer}`) } });
  }
  return (
    <ActionDialog title="Request a review" verb="Request review" canSend send={send} onClose={onClose}>
      <p>
        Another agent reviews what <span className="mono">{id}</span> has committed, and sends its feedback.
      </p>
      <TextField label="What to look at (optional)" maxLength={50_000} value={focus} onChange={setFocus} />
    </ActionDialog>
  );
}

function PullDialog({ id, task, onClose }: { id: string; task: AskedOfAgent["task"]; onClose(): void }) {
  const [title, setTitle] = useState(task.name.slice(0, 256));
  const [description, setDescription] = useState("");
  const [base, setBase] = useState("");
  async function send(): Promise<void> {
    const into = shortest(base);
    const { number, is_local: isLocal } = await callTool("instance_pull", {
      id,
      title: title.trim(),
      description,
      ...(into === undefined ? {} : { base_branch: into.trim() }),
    });
    if (isLocal) go(`/pulls/${number}`);
    else say(`Pull request #${number} opened.`);
  }
  return (
    <ActionDialog
      title="Open a pull request"
      verb="Open pull request"
      canSend={title.trim() !== ""}
      send={send}
      onClose={onClose}
    >
      <LineField label="Title" required maxLength={256} value={title} onChange={setTitle} />
      <TextField label="Description (optional)" maxLength={60_000} value={description} onChange={setDescription} />
      <LineField
        label="Base branch (default: the branch it started from)"
        maxLength={250}
        value={base}
        onChange={setBase}
      />
    </ActionDialog>
  );
}
