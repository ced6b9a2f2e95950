import { useMemo } from "react";
import { similarReading } from "../data/similar.ts";
import { useReading } from "../data/use-reading.ts";
import { SimilarList } from "./similar-list.tsx";

interface NearestWorkProps {
  /** A task, a workstream or a check. */
  readonly id: string;
  /** What the page shows already. */
  readonly without?: readonly (string | null)[];
}

/** The most similar other work, to look at. Where there is none the page says nothing. */
export function NearestWork({ id, without = [] }: NearestWorkProps) {
  const { value = [] } = useReading(useMemo(() => similarReading(id), [id]));
  const similar = value.filter((one) => !without.includes(one.id)).slice(0, mostShown);
  if (similar.length === 0) return null;
  return (
    <section className="stack" aria-label="Similar work to look at">
      <h2>Similar work</h2>
      <SimilarList similar={similar} />
    </section>
  );
}

const mostShown = 5;
