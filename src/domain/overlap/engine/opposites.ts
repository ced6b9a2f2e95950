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

/** A word of one title whose opposite stands in the other, where neither title has both; undefined if there is none. */
export function findOpposed(one: ReadonlySet<string>, other: ReadonlySet<string>): [string, string] | undefined {
  for (const word of one) {
    if (other.has(word)) continue;
    for (const opposite of byTerm.get(word) ?? []) {
      if (other.has(opposite) && !one.has(opposite)) return [word, opposite];
    }
  }
  return undefined;
}

function collect(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const pair of pairs.split(/\s+/).filter((text) => text !== "")) {
    const [one = "", other = ""] = pair.split("/").map(stem);
    for (const [word, opposite] of [
      [one, other],
      [other, one],
    ] as const) {
      const known = found.get(word);
      if (known) known.push(opposite);
      else found.set(word, [opposite]);
    }
  }
  return found;
}
