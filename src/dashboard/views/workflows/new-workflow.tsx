import { useState } from "react";
import { callTool } from "../../data/api.ts";
import { repositoriesReading } from "../../data/repositories.ts";
import type { Reading } from "../../data/store.ts";
import { repositoryName } from "../../data/task.ts";
import { useReading } from "../../data/use-reading.ts";
import { go } from "../../page/router.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { ChoiceField, LineField, TextField } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { attempt } from "../../parts/toast.tsx";
import { createWorkflow, emptyWorkflow, isComplete, type Template } from "./new-workflow-model.ts";

const templatesReading: Reading<readonly Template[]> = {
  key: "templates",
  load: async () => (await callTool("template_list", {})).templates,
};

/** A plan that several tasks and agents share: from a template, or from a list of tasks. */
export function NewWorkflow({ onClose }: { onClose(): void }) {
  const templates = useReading(templatesReading).value ?? [];
  const repositories = useReading(repositoriesReading).value ?? [];
  const [form, setForm] = useState(emptyWorkflow);
  const template = templates.find(({ id }) => id === form.templateId);
  const change = (changes: Partial<typeof form>): void => setForm({ ...form, ...changes });

  async function send(): Promise<void> {
    await attempt(async () => {
      const id = await createWorkflow(form, template);
      onClose();
      go(`/workflows/${id}`);
    });
  }

  return (
    <Dialog title="New workflow" size="large" onClose={onClose}>
      <Form send={send}>
        <LineField label="Name" required maxLength={200} value={form.name} onChange={(name) => change({ name })} />
        <ChoiceField
          label="Template"
          none="No template"
          choices={templates.map(({ id, name }) => ({ value: id, label: name }))}
          value={form.templateId}
          onChange={(templateId) => change({ templateId })}
        />
        {template ? (
          template.template.variables.map(({ name, description, required }) => (
            <LineField
              key={name}
              label={`${description.replace(/\.$/, "") || name}${required ? "" : " (optional)"}`}
              required={required}
              maxLength={5_000}
              value={form.variables[name] ?? ""}
              onChange={(value) => change({ variables: { ...form.variables, [name]: value } })}
            />
          ))
        ) : (
          <>
            <TextField label="Request" required value={form.request} onChange={(request) => change({ request })} />
            <TextField
              label="Tasks, one per line (optional)"
              rows={4}
              value={form.tasks}
              onChange={(tasks) => change({ tasks })}
            />
          </>
        )}
        <ChoiceField
          label="Repository"
          none="No repository"
          choices={repositories.map(({ path }) => ({ value: path, label: repositoryName(path) }))}
          value={form.repository}
          onChange={(repository) => change({ repository })}
        />
        <div className="dialog-actions">
          <button type="submit" className="primary" disabled={!isComplete(form, template)}>
            Create workflow
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
