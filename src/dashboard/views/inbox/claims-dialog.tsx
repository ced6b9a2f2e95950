import { useState } from "react";
import type { AnswerOf } from "../../../tools/calls.ts";
import { callTool, read } from "../../data/api.ts";
import { privateName } from "../../data/names.ts";
import { type Reading, readAgain } from "../../data/store.ts";
import { useDeck, useReading } from "../../data/use-reading.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { sayLength } from "../../parts/say-age.ts";
import { Show } from "../../parts/states.tsx";
import { TimeAgo, useNow } from "../../parts/time-ago.tsx";
import { usePending } from "../../parts/undo.ts";
import { Who } from "../../parts/who.tsx";
import { act, type Item, keyOf } from "./inbox-model.ts";

type Conflict = AnswerOf<"claim_conflicts">["conflicts"][number];

const conflictsReading: Reading<readonly Conflict[]> = {
  key: "claim conflicts",
  load: async (signal) => (await read("/api/claims/conflicts", { limit: 100 }, signal)).conflicts,
  applyEvent: (conflicts, { kind }) => (kind.startsWith("claim.") ? readAgain : conflicts),
};

/** Which code an agent could not claim, who holds it and since when; the holder is asked, or the claim released. */
export function ClaimsDialog({ item, onClose }: { item: Item; onClose(): void }) {
  const shown = useReading(conflictsReading);
  const pending = usePending();
  const conflicts = (shown.value ?? []).filter((one) => one.item_id === item.id && !pending.has(releaseKey(one)));
  return (
    <Dialog title="Claim refused" size="large" onClose={onClose}>
      <Show
        shown={shown}
        what="claims"
        isEmpty={() => conflicts.length === 0}
        empty={<p>Nothing is in the way any more. The agent can claim the code now.</p>}
      >
        {() => (
          <ul className="stack">
            {conflicts.map((conflict) => (
              <li key={`${conflict.claim_id} ${conflict.wanted_at}`} className="card stack">
                <ConflictItem
                  conflict={conflict}
                  releases={conflicts.length === 1 ? keyOf(item) : releaseKey(conflict)}
                  onClose={onClose}
                />
              </li>
            ))}
          </ul>
        )}
      </Show>
    </Dialog>
  );
}

const releaseKey = ({ claim_id }: Conflict): string => `release ${claim_id}`;

interface ConflictProps {
  readonly conflict: Conflict;
  /** What is out of sight while a release can still be undone: the whole item, where nothing else is in the way. */
  readonly releases: string;
  /** The way back is below the dialog. */
  onClose(): void;
}

function ConflictItem({ conflict, releases, onClose }: ConflictProps) {
  const { person } = useDeck();
  const now = useNow();
  const [isAsking, setAsking] = useState(false);
  const canAsk = conflict.holder !== privateName && conflict.holder !== person?.handle;
  function release(): void {
    act(releases, "Claim released.", () => callTool("claim_release", { claim_id: conflict.claim_id ?? "" }));
    onClose();
  }
  return (
    <>
      <dl className="facts">
        <dt>Wanted</dt>
        <dd className="mono small">{[...conflict.paths, ...conflict.symbols].join(", ")}</dd>
        {conflict.repo && (
          <>
            <dt>Repository</dt>
            <dd>{[conflict.repo, conflict.branch].filter(Boolean).join(" · ")}</dd>
          </>
        )}
        <dt>Holder</dt>
        <dd>{conflict.holder_agent_id ? <Who id={conflict.holder_agent_id} /> : conflict.holder}</dd>
        <dt>Held since</dt>
        <dd>
          <TimeAgo at={conflict.held_since} />
          <span className="muted"> · expires in {sayLength(Date.parse(conflict.expires_at) - now)}</span>
        </dd>
      </dl>
      {isAsking ? (
        <AskHolder conflict={conflict} onCancel={() => setAsking(false)} onDone={onClose} />
      ) : (
        <div className="dialog-actions">
          {canAsk && (
            <button type="button" onClick={() => setAsking(true)}>
              Ask the holder
            </button>
          )}
          {conflict.may_release && (
            <button type="button" className="danger" onClick={release}>
              Release
            </button>
          )}
        </div>
      )}
    </>
  );
}

interface AskHolderProps {
  readonly conflict: Conflict;
  onCancel(): void;
  onDone(): void;
}

function AskHolder({ conflict, onCancel, onDone }: AskHolderProps) {
  const [question, setQuestion] = useState(
    `Can you release ${[...conflict.paths, ...conflict.symbols].slice(0, 3).join(", ")}?`,
  );
  function send(): void {
    const ask = { operation: "ask", to: conflict.holder, question } as const;
    act(`ask about ${conflict.claim_id}`, `Question sent to ${conflict.holder}.`, () =>
      callTool("covibe_coordination", ask),
    );
    onDone();
  }
  return (
    <Form send={send}>
      <TextField label={`Question to ${conflict.holder}`} required value={question} onChange={setQuestion} />
      <div className="dialog-actions">
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" className="primary" disabled={question.trim() === ""}>
          Send
        </button>
      </div>
    </Form>
  );
}
