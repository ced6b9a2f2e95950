import type { JsonSchema } from "../json-schema.ts";
import { errorDefinitions, eventDefinitions } from "./definition.ts";
import { page, section, table } from "./markdown.ts";

/** What the folder of published files holds; JSON has no place for such a note. */
export const contractsPage = (): string =>
  page("Contracts", [
    "What Crewdeck publishes, as files. All of them are written by `npm run gen` from the definitions in `src/`, and a check notices when they differ.",
    table(
      ["file", "holds"],
      [
        ["`<tool>.json`", "a tool: its schemas, callers, refusals and examples"],
        ["`mcp.json`", "what MCP clients are shown, read by the bridge and the server"],
        ["`errors.json`", "the error codes"],
        ["`events.json`", "the kinds of events and their data"],
        [
          "`released/contract.json`",
          "all of it as last released; the version that is due is computed from the difference",
        ],
      ],
    ),
    "The OpenAPI document is derived from the same definitions: `npm run build` puts it into `dist/openapi.json`, and a server publishes it at `GET /openapi.json`.",
  ]);

/** The page of every error code. */
export function errorsPage(): string {
  const all = Object.entries(errorDefinitions());
  const kinds = [...new Set(all.map(([, { kind }]) => kind))].sort();
  return page("Errors", [
    "A refused call changes nothing. Every refusal has a `code` from this page, a `namespaceCode` for its general class, a `message` that says what is wrong, a `hint` that says what to do next, and details where a program needs them.",
    ...kinds.map((kind) =>
      section(
        `crewdeck.${kind}`,
        table(
          ["code", "HTTP", "exit", "meaning", "what to do"],
          all
            .filter(([, error]) => error.kind === kind)
            .map(([code, { http, exitCode, meaning, hint }]) => [code, String(http), String(exitCode), meaning, hint]),
        ),
      ),
    ),
  ]);
}

/** The page of every kind of event. */
export function eventsPage(): string {
  return page("Events", [
    "Everything that happens is one entry of the ledger, in the same transaction as the change itself. `GET /api/events` and the WebSocket show what changed under the name on the wire; `GET /api/usage` shows one entry for each call, under the tool's name, with how it ended and never with its arguments. What a call did for a session of the team carries its `session_id` beside the data below.",
    table(
      ["kind", "on the wire", "data"],
      Object.entries(eventDefinitions()).map(([kind, { announced, data }]) => [kind, announced, keysOf(data)]),
    ),
  ]);
}

const keysOf = ({ properties = {} }: JsonSchema): string =>
  Object.keys(properties)
    .map((key) => `\`${key}\``)
    .join(", ");
