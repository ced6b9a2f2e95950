import type { Note } from "../note/model.ts";
import type { Finding } from "./model.ts";

const mostQueries = 6;

/** What to look for in the code to see whether a finding matters here (TG11). */
export function queriesOf({ record }: Finding): string[] {
  const { vuln, package: pack, exposure } = record;
  const name = pack.name ?? "";
  const unscoped = name.replace(/^@[^/]+\//, "");
  const imported = unscoped.includes(":") ? (unscoped.split(":").at(-1) ?? "") : unscoped.replaceAll("-", "_");
  const manifest = (pack.manifestPath ?? "").split("/").at(-1) ?? "";
  const all = [vuln.vulnId, vuln.cve, name, imported, unscoped, manifest, exposure.publicEndpoint];
  return [...new Set(all.filter((one): one is string => one !== null && one !== ""))].slice(0, mostQueries);
}

/** Decisions that may help with this one: of the same route first, then those that have most in common with it. */
export function chooseHistory(finding: Finding, kin: readonly Finding[], notes: readonly Note[], most: number): Note[] {
  const byId = new Map(kin.map((one) => [one.id, one]));
  const scored = notes.flatMap((note) => {
    const other = note.findingId === null ? undefined : byId.get(note.findingId);
    return other ? [{ note, score: likeness(finding, other) }] : [];
  });
  // Newest first among equals, as the notes come.
  return scored
    .sort((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ note }) => note);
}

function likeness(one: Finding, other: Finding): number {
  const isSame = (key: "vulnId" | "packageName" | "manifestPath" | "service" | "env"): number =>
    Number(one[key] !== null && one[key] === other[key]);
  const isSameRoute = one.service === other.service && one.env === other.env;
  return (
    Number(one.id === other.id) * 32 +
    Number(isSameRoute) * 16 +
    isSame("vulnId") * 8 +
    isSame("packageName") * 4 +
    isSame("manifestPath") * 2 +
    isSame("service")
  );
}
