import { type KeyboardEvent, useMemo, useRef } from "react";
import { changeQuery } from "../../page/router.ts";
import { Link } from "../../parts/link.tsx";
import { StatusMark } from "../../parts/status-mark.tsx";
import { Who } from "../../parts/who.tsx";
import { type Box, layOut } from "./graph-layout.ts";
import { markOf, percentDone, type Step, tally } from "./workflow-model.ts";

const width = 196;
const height = 74;
const betweenLayers = 64;
const betweenBoxes = 14;
const margin = 8;

/** Tasks as boxes from left to right, each behind what it waits for. Arrow keys walk along the lines. */
export function WorkflowGraph({ steps, zoom }: { steps: readonly Step[]; zoom: number }) {
  const boxes = useMemo(() => layOut(steps), [steps]);
  const byKey = useMemo(() => new Map(boxes.map((box) => [box.key, box])), [boxes]);
  const board = useRef<HTMLDivElement>(null);
  const size = sizeOf(boxes);

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const box = byKey.get((event.target as HTMLElement).closest<HTMLElement>("[data-box]")?.dataset["box"] ?? "");
    const next = box && neighbourOf(box, event.key, boxes);
    if (!next) return;
    event.preventDefault();
    board.current
      ?.querySelector<HTMLElement>(
        `[data-box="${CSS.escape(next.key)}"] a, [data-box="${CSS.escape(next.key)}"] button`,
      )
      ?.focus();
  }

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable, or a keyboard cannot scroll it.
    <section className="workflow-graph" aria-label="Graph of the tasks" tabIndex={0}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys move the focus between the links inside. */}
      <div
        ref={board}
        className="workflow-graph-board"
        style={{ width: size.width, height: size.height, zoom }}
        onKeyDown={onKeyDown}
      >
        <svg width={size.width} height={size.height} aria-hidden="true">
          {boxes.flatMap((box) => box.dependsOn.map((key) => line(box, byKey.get(key), `${key} ${box.key}`)))}
        </svg>
        {boxes.map((box) => (
          <div
            key={box.key}
            className="workflow-box"
            data-box={box.key}
            data-critical={box.isCritical}
            data-status={box.steps.length === 1 ? box.steps[0]?.status : undefined}
            style={{ left: leftOf(box), top: topOf(box), width, height }}
          >
            {box.steps.length === 1 && box.steps[0] ? <OneStep step={box.steps[0]} /> : <ManySteps box={box} />}
          </div>
        ))}
      </div>
      {boxes.some(({ dependsOn }) => dependsOn.length > 0) && <Legend />}
    </section>
  );
}

function Legend() {
  return (
    <ul className="workflow-legend wrap small muted" aria-label="Legend">
      <li>
        <span className="workflow-key" data-critical="true" aria-hidden="true" /> critical path: the longest chain of
        unfinished tasks
      </li>
      <li>
        <span className="workflow-key" aria-hidden="true" /> depends on the task to its left
      </li>
      <li>
        <StatusMark status="waits" /> for tasks it depends on
      </li>
    </ul>
  );
}

function OneStep({ step }: { step: Step }) {
  return (
    <>
      <Link className="workflow-box-name strong" to={`/tasks/${step.id}`} title={step.name}>
        {step.name}
      </Link>
      <span className="workflow-box-facts small cut">
        <StatusMark status={markOf(step)} />
        {step.claimed_by && (
          <span className="muted cut">
            <Who id={step.claimed_by} isPlain />
          </span>
        )}
      </span>
    </>
  );
}

/** Too many to draw each: they open as a drawing of their own. */
function ManySteps({ box }: { box: Box }) {
  const [worst] = tally(box.steps);
  return (
    <>
      <button type="button" className="plain cut strong" onClick={() => changeQuery({ part: box.key })}>
        {box.steps.length} tasks, {percentDone(box.steps)}% done
      </button>
      <span className="workflow-box-facts small cut">
        {worst && <StatusMark status={markOf(worst)} />}
        <span className="muted">steps {box.key}</span>
      </span>
    </>
  );
}

const leftOf = (box: Box): number => margin + box.layer * (width + betweenLayers);
const topOf = (box: Box): number => margin + box.place * (height + betweenBoxes);

function sizeOf(boxes: readonly Box[]): { width: number; height: number } {
  const right = Math.max(0, ...boxes.map((box) => leftOf(box) + width));
  const bottom = Math.max(0, ...boxes.map((box) => topOf(box) + height));
  return { width: right + margin, height: bottom + margin };
}

function line(to: Box, from: Box | undefined, key: string) {
  if (!from) return [];
  const x1 = leftOf(from) + width;
  const y1 = topOf(from) + height / 2;
  const x2 = leftOf(to);
  const y2 = topOf(to) + height / 2;
  const bend = Math.max(24, (x2 - x1) / 2);
  return (
    <path
      key={key}
      className="workflow-line"
      data-critical={from.isCritical && to.isCritical}
      d={`M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`}
    />
  );
}

function neighbourOf(box: Box, key: string, boxes: readonly Box[]): Box | undefined {
  switch (key) {
    case "ArrowRight":
      return nearest(
        box,
        boxes.filter((other) => other.dependsOn.includes(box.key)),
      );
    case "ArrowLeft":
      return nearest(
        box,
        boxes.filter((other) => box.dependsOn.includes(other.key)),
      );
    case "ArrowDown":
      return boxes.find((other) => other.layer === box.layer && other.place === box.place + 1);
    case "ArrowUp":
      return boxes.find((other) => other.layer === box.layer && other.place === box.place - 1);
    default:
      return undefined;
  }
}

const nearest = (box: Box, boxes: readonly Box[]): Box | undefined =>
  boxes.toSorted((one, other) => Math.abs(one.place - box.place) - Math.abs(other.place - box.place))[0];
