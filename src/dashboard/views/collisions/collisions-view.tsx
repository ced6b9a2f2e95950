import { type Collision, collisionsReading } from "../../data/collisions.ts";
import { useReading } from "../../data/use-reading.ts";
import { changeQuery, usePlace } from "../../page/router.ts";
import { Command } from "../../parts/command.tsx";
import { Page } from "../../parts/page.tsx";
import { Select } from "../../parts/select.tsx";
import { Show } from "../../parts/states.tsx";
import { StatusMark } from "../../parts/status-mark.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { matrixOf, nameOf, sayPair, sayRepository, sayVerdict, toneOf } from "./collisions-model.ts";
import { PairPanel } from "./pair-panel.tsx";
import "./collisions.css";

/** Worktrees whose changes do not go together, as the server has noticed while agents work. */
export function CollisionsView() {
  const { query } = usePlace();
  const repo = query.get("repo") ?? "";
  const pair = query.get("pair");
  const shown = useReading(collisionsReading);
  const repositories = shown.value?.repositories ?? [];
  const isHere = ({ repository }: Collision): boolean => repo === "" || repository === repo;
  return (
    <Page title="Collisions">
      {repositories.length > 1 && (
        <div className="filters">
          <Select
            label="Repository"
            all="All repositories"
            value={repo}
            choices={repositories.map((path) => ({ value: path, label: sayRepository(path) }))}
            onChange={(value) => changeQuery({ repo: value || undefined })}
          />
        </div>
      )}
      <Show
        shown={shown}
        what="collisions"
        isEmpty={({ collisions }) => !collisions.some(isHere) && pair === null}
        empty={
          <>
            <p className="strong">No collisions.</p>
            <p>
              While agents work in worktrees of a repository, Crewdeck tries to merge their changes and shows here what
              would conflict. To check now:
            </p>
            <Command text="crewdeck conflicts" />
          </>
        }
      >
        {({ collisions }) => (
          <div className="collisions">
            <Matrix collisions={collisions.filter(isHere)} current={pair} />
            <ul className="rows" aria-label="Collisions">
              {collisions.filter(isHere).map((one) => (
                <CollisionRow key={one.id} collision={one} isCurrent={one.id === pair} />
              ))}
            </ul>
            {pair !== null && <PairPanel id={pair} />}
          </div>
        )}
      </Show>
    </Page>
  );
}

const choose = (id: string): void => changeQuery({ pair: id });

function CollisionRow({ collision, isCurrent }: { collision: Collision; isCurrent: boolean }) {
  const { id, verdict, places, since } = collision;
  return (
    <li className="row collisions-row" data-current={isCurrent}>
      <StatusMark status={toneOf(verdict)} label="spoken" />
      <span className="collisions-title">
        <button type="button" className="plain strong" aria-pressed={isCurrent} onClick={() => choose(id)}>
          {sayPair(collision)}
        </button>
        <span className="muted small">{[...new Set(places.map(({ path }) => path))].join(", ")}</span>
      </span>
      <span className="small">{sayVerdict(verdict)}</span>
      <span className="muted small">
        since <TimeAgo at={since} />
      </span>
    </li>
  );
}

/** The same as the list, by who meets whom; more than two worktrees make it worth its room. */
function Matrix({ collisions, current }: { collisions: readonly Collision[]; current: string | null }) {
  const { rows, at } = matrixOf(collisions);
  if (rows.length < 3) return null;
  return (
    <section className="collisions-scroll" aria-label="Collisions by worktree">
      <table className="collisions-matrix">
        <thead>
          <tr>
            <th scope="col">
              <span className="only-spoken">Worktree</span>
            </th>
            {rows.map(({ key, name }) => (
              <th key={key} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name }, row) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {rows.map((other, column) => (
                <td key={other.key}>
                  <Cell collision={at(row, column)} current={current} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cell({ collision, current }: { collision: Collision | undefined; current: string | null }) {
  if (collision === undefined) return <span className="muted">–</span>;
  const { id, verdict, ends } = collision;
  return (
    <button
      type="button"
      className="collisions-cell"
      data-verdict={verdict}
      aria-pressed={id === current}
      onClick={() => choose(id)}
    >
      {sayVerdict(verdict)}
      <span className="only-spoken"> between {ends.map(nameOf).join(" and ")}</span>
    </button>
  );
}
