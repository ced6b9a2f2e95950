import { useEffect, useRef, useState } from "react";
import { splitLine } from "../../../contract/marked-line.ts";
import { ApiFailure, callTool } from "../../data/api.ts";
import { repositoriesReading } from "../../data/repositories.ts";
import { useReading } from "../../data/use-reading.ts";
import { useKeys } from "../../page/keys.ts";
import { changeQuery, go, usePlace } from "../../page/router.ts";
import { Link } from "../../parts/link.tsx";
import { listKeys } from "../../parts/list-keys.ts";
import { Page } from "../../parts/page.tsx";
import { Search } from "../../parts/search.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { attempt } from "../../parts/toast.tsx";
import { Who } from "../../parts/who.tsx";
import {
  askOf,
  type ChipName,
  type CodeHit,
  chipNames,
  type Found,
  isMode,
  listHits,
  type Mode,
  modes,
  placeOfHit,
  placeOfRecord,
  type RecordHit,
  type Touch,
  takeChips,
} from "./search-model.ts";
import { useFinders } from "./use-finders.ts";
import "./search.css";

const pauseMs = 120;

/** Code, documents and records, searched while the reader types. */
export function SearchView() {
  const { query: address } = usePlace();
  const text = address.get("q") ?? "";
  const given = address.get("mode");
  const mode: Mode = isMode(given) ? given : "all";
  const repositories = useReading(repositoriesReading).value;
  const repo = address.get("repo") ?? repositories?.[0]?.path;
  const chips = new Map<ChipName, string>(
    chipNames.flatMap((name) => {
      const value = address.get(name);
      return value === null ? [] : [[name, value] as const];
    }),
  );
  const [builds, setBuilds] = useState(0);
  const ask = repositories && askOf({ text, chips, mode, repo });
  const { found, failure, isSearching } = useFound(JSON.stringify(ask ?? null), builds);
  const { files, records } = found ? listHits(found) : { files: [], records: [] };
  const touches = useTouches(repo, files);
  const [current, setCurrent] = useState(0);
  const list = useRef<HTMLOListElement>(null);
  // What is shown is marked by what it was found for, not by what has been typed since.
  const finders = useFinders(found?.query ?? "");
  const to = placeOfHit([...files, ...records][current], touches);
  useKeys([
    ...listKeys({
      count: files.length + records.length,
      current,
      setCurrent(place) {
        setCurrent(place);
        list.current?.querySelectorAll("li")[place]?.scrollIntoView({ block: "nearest" });
      },
    }),
    { keys: "Enter", label: "Open the task", act: () => to && go(to) },
  ]);
  const type = (typed: string): void => {
    const taken = takeChips(typed);
    changeQuery({ q: taken.text === "" ? undefined : taken.text, ...Object.fromEntries(taken.chips) });
    setCurrent(0);
  };
  return (
    <Page title="Search" note={found && <Summary found={found} />}>
      <div className="search-bar wrap">
        <Search label="Search code and records" value={text} onChange={type} />
        <select
          aria-label="Search in"
          value={mode}
          onChange={(event) => changeQuery({ mode: event.target.value === "all" ? undefined : event.target.value })}
        >
          {Object.entries(modes).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        {repositories !== undefined && repositories.length > 1 && mode !== "records" && (
          <select aria-label="Repository" value={repo} onChange={(event) => changeQuery({ repo: event.target.value })}>
            {repositories.map(({ path, name }) => (
              <option key={path} value={path}>
                {name}
              </option>
            ))}
          </select>
        )}
        {[...chips].map(([name, value]) => (
          <button
            key={name}
            type="button"
            className="chip"
            aria-label={`Remove filter ${name}: ${value}`}
            onClick={() => changeQuery({ [name]: undefined })}
          >
            {name}: {value} ×
          </button>
        ))}
      </div>
      <p className="muted small">Filter by typing {chipNames.map((name) => `${name}:`).join(" ")} and a value.</p>
      {failure?.code === "NO_INDEX" ? (
        <NoIndex repo={repo} onBuilt={() => setBuilds(builds + 1)} />
      ) : (
        failure && <Failure failure={failure} repo={repo} hasRecords={found !== undefined} />
      )}
      {found && files.length + records.length === 0 && !isSearching && <p className="strong">No results</p>}
      {found?.warnings.map(({ code, message }) => (
        <p key={code} className="muted">
          {message}
        </p>
      ))}
      <ol className="search-hits" ref={list}>
        {files.map((hit, at) => (
          <FileHit key={hit.id} hit={hit} touch={touches.get(hit.file)} finders={finders} isCurrent={at === current} />
        ))}
        {records.map((hit, at) => (
          <Record key={`${hit.kind} ${hit.id}`} hit={hit} finders={finders} isCurrent={files.length + at === current} />
        ))}
      </ol>
    </Page>
  );
}

/** The answer to what is asked now; the one before stays until it is there. */
function useFound(asked: string, builds: number) {
  const [state, setState] = useState<{ found?: Found; failure?: ApiFailure; isSearching: boolean }>({
    isSearching: false,
  });
  useEffect(() => {
    void builds;
    const args = JSON.parse(asked) as ReturnType<typeof askOf> | null;
    if (!args) return setState({ isSearching: false });
    let isOld = false;
    setState((before) => ({ ...before, isSearching: true }));
    const timer = setTimeout(async () => {
      try {
        const found = await callTool("search", args);
        if (!isOld) setState({ found, isSearching: false });
      } catch (error) {
        if (!(error instanceof ApiFailure)) return;
        const records = args.mode === "all" ? await findRecords(args) : undefined;
        if (!isOld) setState({ failure: error, isSearching: false, ...(records && { found: records }) });
      }
    }, pauseMs);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [asked, builds]);
  return state;
}

/** Which task changed each of these files last, as far as that is known. */
function useTouches(repo: string | undefined, files: readonly CodeHit[]): ReadonlyMap<string, Touch> {
  const [touches, setTouches] = useState<ReadonlyMap<string, Touch>>(new Map());
  const asked = JSON.stringify([...new Set(files.map(({ file }) => file))]);
  useEffect(() => {
    const paths = JSON.parse(asked) as string[];
    if (paths.length === 0) return;
    let isOld = false;
    void callTool("file_touches", { files: paths, ...(repo !== undefined && { repoPath: repo }) })
      .then((answer) => {
        if (!isOld) setTouches(new Map(answer.touches.map((touch) => [touch.file, touch])));
      })
      // Hits stand for themselves.
      .catch(() => undefined);
    return () => {
      isOld = true;
    };
  }, [repo, asked]);
  return touches;
}

/** Where the files cannot be searched, the team's records still can. */
async function findRecords(args: NonNullable<ReturnType<typeof askOf>>): Promise<Found | undefined> {
  try {
    const { repoPath: _, ...rest } = args;
    return await callTool("search", { ...rest, mode: "records" });
  } catch {
    return undefined;
  }
}

/** Who has registered no repository has asked for none. What to pass instead is for programs. */
function Failure({
  failure,
  repo,
  hasRecords,
}: {
  failure: ApiFailure;
  repo: string | undefined;
  hasRecords: boolean;
}) {
  const rest = hasRecords && <span className="muted">Only records are searched.</span>;
  if (repo === undefined && hasRecords) return <p className="muted">No repository is registered. {rest}</p>;
  return (
    <p role="alert">
      <span className="strong">{failure.message}</span> {rest || <span className="muted">{failure.hint}</span>}
    </p>
  );
}

function Summary({ found: { total, tookMs, index } }: { found: Found }) {
  return (
    <>
      {total.toLocaleString("en")} {total === 1 ? "match" : "matches"} in {Math.round(tookMs)} ms
      {index.isFresh ? "" : " · files are still being indexed"}
    </>
  );
}

function NoIndex({ repo, onBuilt }: { repo: string | undefined; onBuilt(): void }) {
  const [isBuilding, setBuilding] = useState(false);
  const build = async (): Promise<void> => {
    setBuilding(true);
    await attempt(() => callTool("build_index", repo === undefined ? {} : { repoPath: repo }), "Index built.");
    setBuilding(false);
    onBuilt();
  };
  return (
    <div className="state">
      <p className="strong">This repository isn’t indexed yet.</p>
      <p>
        <button type="button" className="primary" disabled={isBuilding} onClick={() => void build()}>
          {isBuilding ? "Building…" : "Build index"}
        </button>
      </p>
    </div>
  );
}

type Finders = ReturnType<typeof useFinders>;

interface HitProps<Hit> {
  readonly hit: Hit;
  readonly finders: Finders;
  readonly isCurrent: boolean;
}

function FileHit({ hit, touch, finders, isCurrent }: HitProps<CodeHit> & { readonly touch: Touch | undefined }) {
  return (
    <li className="search-hit" data-current={isCurrent}>
      <p className="wrap small">
        <code className="strong">
          {hit.file}:{hit.line}
        </code>
        <span className="muted">
          {hit.kind} {hit.name}
        </span>
        {touch && (
          <span className="muted">
            last changed by <Link to={`/tasks/${touch.task_id}`}>{touch.task}</Link>{" "}
            {touch.agent_id === null ? touch.developer : <Who id={touch.agent_id} isBrief />}{" "}
            <TimeAgo at={touch.ended_at} />
          </span>
        )}
      </p>
      <pre>
        <Around lines={hit.context?.before ?? []} />
        <span className="search-line">
          <Marked text={hit.headline} finders={finders} />
          {"\n"}
        </span>
        <Around lines={hit.context?.after ?? []} />
      </pre>
    </li>
  );
}

function Record({ hit, finders, isCurrent }: HitProps<RecordHit>) {
  const to = placeOfRecord(hit);
  return (
    <li className="search-hit" data-current={isCurrent}>
      <p className="wrap">
        <span className="chip">{hit.kind}</span>
        {to ? <Link to={to}>{hit.name}</Link> : <span>{hit.name}</span>}
      </p>
      {hit.headline !== hit.name && (
        <p className="small">
          <Marked text={hit.headline} finders={finders} />
        </p>
      )}
    </li>
  );
}

const Around = ({ lines }: { lines: readonly string[] }) =>
  lines.length > 0 && <span className="search-around">{`${lines.join("\n")}\n`}</span>;

function Marked({ text, finders }: { text: string; finders: Finders }) {
  return splitLine(text, finders).map(({ text: piece, isMatch }, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one line never change places
    isMatch ? <mark key={at}>{piece}</mark> : <span key={at}>{piece}</span>,
  );
}
