/**
 * Workflows recorded for the purpose: what was planned, noted and decided, and which of it somebody who comes back with
 * an empty head must know. `keys` are texts that a useful context contains; everything else is the noise of real work.
 */

const filler = [
  "Read through the module once more and compared it with the neighbouring one.",
  "Ran the checks; nothing new.",
  "Renamed a local variable so that the next change reads better.",
  "Looked at how the other callers use this and found nothing surprising.",
  "Waited for the build, then went on with the list.",
];

const noise = (count, seed) =>
  Array.from({ length: count }, (_, at) => ({
    type: "progress",
    summary: `${filler[(at + seed) % filler.length]} (${seed}.${at})`,
    detail: { log: `${filler[(at * 3 + seed) % filler.length]} `.repeat(6) },
    files_changed: [`src/other/part-${(at * 7 + seed) % 40}.ts`],
  }));

const decision = (summary, files = []) => ({ type: "decision", summary, files_changed: files });
const failure = (summary, files = []) => ({ type: "error", summary, files_changed: files });
const progress = (summary, files = []) => ({ type: "progress", summary, files_changed: files });

export const recordings = [
  {
    name: "Sign-in with passkeys",
    source: "Let people sign in with passkeys beside passwords. ".repeat(40),
    before: { name: "Store credentials", outcome: "Passkeys are kept in the table webauthn_credential, one row each." },
    plan: {
      approach: "Add the ceremony endpoints first, then the page.",
      steps: ["Registration endpoint", "Assertion endpoint", "Wire the page to both", "Lock out after ten failures"],
      files_to_modify: ["src/auth/passkey.ts"],
    },
    notes: [
      ...noise(30, 1),
      decision("Challenges live in Redis for two minutes, not in the session cookie.", ["src/auth/challenge.ts"]),
      ...noise(12, 2),
      failure("Assertion fails in Safari: the user handle arrives as base64, not base64url.", ["src/auth/assert.ts"]),
      ...noise(2, 3),
      progress("Registration endpoint is done and tested.", ["src/auth/register.ts"]),
    ],
    keys: {
      decisions: ["Challenges live in Redis for two minutes"],
      files: ["src/auth/challenge.ts", "src/auth/assert.ts", "src/auth/register.ts"],
      next: ["Assertion endpoint", "user handle arrives as base64", "webauthn_credential"],
    },
  },
  {
    name: "Import of bank statements",
    source: "Read CAMT.053 files and match them with open invoices. ".repeat(60),
    before: { name: "Parse the files", outcome: "The parser streams entries and keeps amounts as integers of cents." },
    plan: {
      approach: "Match by reference, then by amount and date, then ask a person.",
      steps: [
        "Match by reference",
        "Match by amount within three days",
        "Queue for a person",
        "Report what was matched",
      ],
      files_to_create: ["src/import/match.ts"],
    },
    notes: [
      ...noise(50, 4),
      decision("A statement is imported once: its message id is the key.", ["src/import/statement.ts"]),
      decision("Partial payments never close an invoice on their own.", ["src/invoice/settle.ts"]),
      ...noise(20, 5),
      progress("Matching by reference works on the three sample banks.", ["src/import/match.ts"]),
      failure("Amounts of returned debits are negative twice and match nothing.", ["src/import/entry.ts"]),
    ],
    keys: {
      decisions: ["its message id is the key", "Partial payments never close an invoice"],
      files: ["src/import/statement.ts", "src/invoice/settle.ts", "src/import/entry.ts"],
      next: ["Match by amount within three days", "returned debits are negative twice", "integers of cents"],
    },
  },
  {
    name: "Slower pages after the upgrade",
    source: "Since the upgrade the list pages take three seconds. ".repeat(25),
    before: { name: "Measure", outcome: "The time is spent in 400 queries for avatars, not in rendering." },
    plan: {
      approach: "Load avatars in one query and cache the sizes.",
      steps: ["One query for all avatars", "Cache image sizes", "Compare the traces"],
      files_to_modify: ["src/list/page.ts", "src/avatar/store.ts"],
    },
    notes: [
      ...noise(15, 6),
      decision("The cache is keyed by the avatar's hash so that it never has to be cleared.", ["src/avatar/cache.ts"]),
      ...noise(70, 7),
      progress("One query for all avatars is in; the page is at 600 ms.", ["src/avatar/store.ts"]),
    ],
    keys: {
      decisions: ["keyed by the avatar's hash"],
      files: ["src/avatar/cache.ts", "src/avatar/store.ts"],
      next: ["Cache image sizes", "the page is at 600 ms", "400 queries for avatars"],
    },
  },
];
