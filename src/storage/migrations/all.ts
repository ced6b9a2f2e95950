import { house } from "./0001-house.ts";
import { work } from "./0002-work.ts";
import { effects } from "./0003-effects.ts";
import { missions } from "./0004-missions.ts";
import { team } from "./0005-team.ts";
import { receipts } from "./0006-receipts.ts";
import { words } from "./0007-words.ts";
import { results } from "./0008-results.ts";
import { presence } from "./0009-presence.ts";
import { waiting } from "./0010-waiting.ts";
import { repeats } from "./0011-repeats.ts";
import { tokenUse } from "./0012-token-use.ts";
import { instances } from "./0013-instances.ts";
import { findings } from "./0014-findings.ts";
import { namedWorkstreams } from "./0015-named-workstreams.ts";
import { reviews } from "./0016-reviews.ts";
import { pulls } from "./0017-pulls.ts";
import { deckSessions } from "./0018-deck-sessions.ts";
import { reviewLimits } from "./0019-review-limits.ts";
import { footprints } from "./0020-footprints.ts";
import { registrars } from "./0021-registrars.ts";
import { waitingPulls } from "./0022-waiting-pulls.ts";
import { collisions } from "./0023-collisions.ts";
import { machines } from "./0024-machines.ts";
import { signals } from "./0025-signals.ts";
import { taskNumbers } from "./0026-task-numbers.ts";
import { rowSums } from "./0027-row-sums.ts";
import { leanIndexes } from "./0028-lean-indexes.ts";
import { decisionExpiry } from "./0029-decision-expiry.ts";
import { pullItems } from "./0030-pull-items.ts";
import type { Migration } from "./migration.ts";

/** In the order they are applied; never edited once released. */
export const migrations: readonly Migration[] = [
  house,
  work,
  effects,
  missions,
  team,
  receipts,
  words,
  results,
  presence,
  waiting,
  repeats,
  tokenUse,
  instances,
  findings,
  namedWorkstreams,
  reviews,
  pulls,
  deckSessions,
  reviewLimits,
  footprints,
  registrars,
  waitingPulls,
  collisions,
  machines,
  signals,
  taskNumbers,
  rowSums,
  leanIndexes,
  decisionExpiry,
  pullItems,
];
