import { unify } from "./same-words.ts";
import { stem } from "./stem.ts";

/** Pairs of words that make two titles different work although all else in them is the same. */
const pairs = `
  import/export add/remove add/delete create/delete create/remove insert/delete insert/remove
  enable/disable client/server frontend/backend read/write reader/writer open/close start/stop upload/download
  encode/decode encoder/decoder encrypt/decrypt serialize/deserialize serializer/deserializer parse/format push/pull
  login/logout show/hide input/output request/response getter/setter min/max minimum/maximum first/last before/after
  source/target sync/async increase/decrease lock/unlock mount/unmount install/uninstall subscribe/unsubscribe
  publish/subscribe attach/detach expand/collapse left/right top/bottom light/dark horizontal/vertical row/column
  head/tail send/receive sender/receiver producer/consumer internal/external public/private allow/deny accept/reject
  approve/reject load/save backup/restore grant/revoke register/unregister connect/disconnect compress/decompress
  zip/unzip local/remote online/offline upgrade/downgrade inbound/outbound incoming/outgoing inner/outer
  forward/backward next/previous parent/child static/dynamic ios/android linux/windows macos/windows linux/macos
  mysql/postgres sqlite/postgres mysql/sqlite unit/integration unit/e2e integration/e2e asc/desc ascending/descending
  buy/sell success/failure follow/unfollow archive/unarchive pin/unpin mute/unmute block/unblock hot/cold
  lower/upper lowercase/uppercase north/south east/west male/female debit/credit deposit/withdraw signup/signin
  http/https dev/prod staging/production desktop/mobile admin/customer primary/secondary master/replica`;

const byTerm = collect();

/**
 * A word that one title says more often and whose opposite the other says more often; undefined if there is none. Who
 * has both, as in "import and export", is opposed to neither.
 */
export function findOpposed(one: readonly string[], other: readonly string[]): readonly [string, string] | undefined {
  const count = (terms: readonly string[], wanted: string): number => terms.filter((term) => term === wanted).length;
  const isMore = (a: readonly string[], b: readonly string[], term: string): boolean => count(a, term) > count(b, term);
  for (const term of one) {
    const opposites = byTerm.get(term) ?? [];
    const found = opposites.find(({ opposite }) => isMore(one, other, term) && isMore(other, one, opposite));
    if (found) return found.words;
  }
  return undefined;
}

interface Opposite {
  readonly opposite: string;
  /** Both as people write them. */
  readonly words: readonly [string, string];
}

function collect(): ReadonlyMap<string, readonly Opposite[]> {
  const found = new Map<string, Opposite[]>();
  const add = (word: string, other: string): void => {
    const term = unify(stem(word));
    found.set(term, [...(found.get(term) ?? []), { opposite: unify(stem(other)), words: [word, other] }]);
  };
  for (const pair of pairs.split(/\s+/).filter((text) => text !== "")) {
    const [one = "", other = ""] = pair.split("/");
    add(one, other);
    add(other, one);
  }
  return found;
}
