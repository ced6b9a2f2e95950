import type { ReactNode } from "react";
import type { ApiFailure } from "../data/api.ts";
import type { Shown } from "../data/use-reading.ts";
import { Inline } from "./markdown.tsx";
import "./states.css";

interface ShowProps<T> {
  readonly shown: Shown<T>;
  /** What is being read, in the plural: "tasks". */
  readonly what: string;
  isEmpty(value: T): boolean;
  /** Says what would be here and the first command to run. */
  readonly empty: ReactNode;
  children(value: T): ReactNode;
}

/** The four states every view has: empty, loading, error, stale. Only then the data itself. */
export function Show<T>({ shown, what, isEmpty, empty, children }: ShowProps<T>) {
  const { value, failure, isLoading, isStale, reload } = shown;
  if (value === undefined && failure?.code === "UNREACHABLE") return <Waiting what={what} onRetry={reload} />;
  if (value === undefined && failure) return <Failed failure={failure} onRetry={reload} />;
  if (value === undefined || (isLoading && value === undefined)) return <Loading what={what} />;
  return (
    <>
      {isStale && <Stale failure={failure} onRetry={reload} />}
      {isEmpty(value) ? <div className="state">{empty}</div> : children(value)}
    </>
  );
}

export function Loading({ what }: { what: string }) {
  return (
    <div className="state">
      <output className="muted">Loading {what}…</output>
      <div className="bones" aria-hidden="true">
        <span />
        <span />
        <span />
      </div>
    </div>
  );
}

/** The server is gone: what was not loaded yet comes by itself once it is back. */
export function Waiting({ what, onRetry }: { what: string; onRetry(): void }) {
  return (
    <div className="state">
      <output>
        <span className="strong">Waiting for the server.</span> {what.charAt(0).toUpperCase() + what.slice(1)} will load
        as soon as it’s back. If it isn’t running, start it with <code>crewdeck up</code>.
      </output>
      <p>
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      </p>
    </div>
  );
}

export function Failed({ failure, onRetry }: { failure: ApiFailure; onRetry(): void }) {
  return (
    <div className="state" role="alert">
      <p className="strong">{failure.message}</p>
      {failure.hint && (
        <p className="muted">
          <Inline text={failure.hint} />
        </p>
      )}
      <p className="wrap">
        <button type="button" onClick={onRetry}>
          Try again
        </button>
        <code className="muted">{failure.code}</code>
      </p>
    </div>
  );
}

function Stale({ failure, onRetry }: { failure: ApiFailure | undefined; onRetry(): void }) {
  return (
    <div className="stale-note">
      <output>
        {failure ? failure.message : "Connection lost."} This page may be out of date; it updates as soon as the server
        is back.
      </output>
      <button type="button" onClick={onRetry}>
        Retry now
      </button>
    </div>
  );
}
