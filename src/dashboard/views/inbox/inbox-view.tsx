import { useEffect, useState } from "react";
import { useReading } from "../../data/use-reading.ts";
import { useKeys } from "../../page/keys.ts";
import { changeQuery, go, usePlace } from "../../page/router.ts";
import { Command } from "../../parts/command.tsx";
import { Link } from "../../parts/link.tsx";
import { listKeys } from "../../parts/list-keys.ts";
import { Page } from "../../parts/page.tsx";
import { Show } from "../../parts/states.tsx";
import { StatusMark } from "../../parts/status-mark.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { TrustMark } from "../../parts/trust-mark.tsx";
import { flushPending, usePending } from "../../parts/undo.ts";
import { useNarrow } from "../../parts/use-narrow.ts";
import { VirtualList } from "../../parts/virtual-list.tsx";
import { AskDialog } from "./ask-dialog.tsx";
import { ClaimsDialog } from "./claims-dialog.tsx";
import { HandoffDialog } from "./handoff-dialog.tsx";
import { act, answerTo, type Item, inboxReading, keyOf, kindOf } from "./inbox-model.ts";
import { ItemWho } from "./item-who.tsx";
import { NotifySwitch } from "./notify-switch.tsx";
import { StartDialog } from "./start-dialog.tsx";
import "./inbox.css";

/** What needs a person, the most urgent first, answered in place. */
export function InboxView() {
  const isNarrow = useNarrow();
  const { query } = usePlace();
  const scope = query.get("of") === "everyone" ? "everyone" : "mine";
  const shown = useReading(inboxReading(scope));
  const pending = usePending();
  const items = (shown.value ?? []).filter((one) => !pending.has(keyOf(one)));
  useEffect(() => flushPending, []);
  const [current, setCurrent] = useState(0);
  const [asked, setAsked] = useState<Item>();
  const item = items[Math.min(current, items.length - 1)];

  function answer(chosen: Item | undefined): void {
    const way = chosen && answerTo(chosen);
    if (!chosen || !way) return;
    const { dialog, give, done = "" } = way;
    if (dialog !== undefined) setAsked(chosen);
    else if (give) act(keyOf(chosen), done, () => give(chosen.id));
  }

  function open(chosen: Item | undefined): void {
    const to = chosen && kindOf(chosen).link?.(chosen.id);
    if (to) go(to);
    else answer(chosen);
  }

  useKeys([
    ...listKeys({ count: items.length, current, setCurrent }),
    { keys: "Enter", label: "Open, or answer", act: () => open(item) },
    { keys: "r", label: "Answer", act: () => answer(item) },
  ]);
  return (
    <Page
      title="Inbox"
      note={
        items.length > 0 ? `${items.length} ${items.length === 1 ? "item needs" : "items need"} attention` : undefined
      }
      actions={<NotifySwitch />}
      fills
    >
      <div className="filters">
        <button type="button" aria-pressed={scope === "mine"} onClick={() => changeQuery({ of: undefined })}>
          Mine
        </button>
        <button type="button" aria-pressed={scope === "everyone"} onClick={() => changeQuery({ of: "everyone" })}>
          Everyone
        </button>
      </div>
      <Show shown={shown} what="the inbox" isEmpty={() => items.length === 0} empty={<NothingWaits scope={scope} />}>
        {() => (
          <VirtualList
            label="Items that need attention"
            className="inbox"
            items={items}
            rowHeight={isNarrow ? 88 : 64}
            keyOf={keyOf}
            current={current}
          >
            {(one, place) => <InboxRow item={one} isCurrent={place === current} onAnswer={() => answer(one)} />}
          </VirtualList>
        )}
      </Show>
      {asked && <ItemDialog item={asked} onClose={() => setAsked(undefined)} />}
    </Page>
  );
}

/** What shows more of an item and asks for words, for each kind that has such. */
const dialogs = {
  ask: AskDialog,
  blocked_start: StartDialog,
  handoff: HandoffDialog,
  refused_claim: ClaimsDialog,
} as const;

function ItemDialog({ item, onClose }: { item: Item; onClose(): void }) {
  const dialog = answerTo(item)?.dialog;
  const Chosen = dialog && dialogs[dialog];
  return Chosen ? <Chosen item={item} onClose={onClose} /> : null;
}

function InboxRow({ item, isCurrent, onAnswer }: { item: Item; isCurrent: boolean; onAnswer(): void }) {
  const kind = kindOf(item);
  const answer = answerTo(item);
  const to = kind.link?.(item.id);
  const title = item.title ?? kind.untitled ?? kind.words;
  return (
    <div className="row inbox-row" data-current={isCurrent} data-tone={kind.tone}>
      <StatusMark status={kind.tone} label="spoken" />
      <span className="inbox-text cut">
        <span className="inbox-head">
          <span className="small muted cut">
            {item.from !== null && (
              <span className="strong">
                <ItemWho item={item} />{" "}
              </span>
            )}
            {kind.words}
            {item.from === null && (
              <>
                {" · "}
                <ItemWho item={item} />
              </>
            )}
          </span>
          {item.result && (
            <span className="small">
              <TrustMark result={item.result} isBrief />
            </span>
          )}
        </span>
        {to ? (
          <Link className="strong inbox-title" to={to} title={item.action}>
            {title}
          </Link>
        ) : (
          <span className="strong inbox-title" title={item.action}>
            {title}
          </span>
        )}
      </span>
      <span className="inbox-age muted small">
        <TimeAgo at={item.since} />
      </span>
      <span className="inbox-act">
        {answer && (
          <button type="button" onClick={onAnswer}>
            {answer.label}
            <span className="only-spoken"> {title}</span>
          </button>
        )}
      </span>
    </div>
  );
}

function NothingWaits({ scope }: { scope: "mine" | "everyone" }) {
  return (
    <>
      <p className="strong">Nothing needs {scope === "mine" ? "you" : "anyone"}.</p>
      <p>Questions, handoffs, possible duplicates, refused claims and failed tasks appear here. In the terminal:</p>
      <Command text="crewdeck inbox --watch" />
    </>
  );
}
