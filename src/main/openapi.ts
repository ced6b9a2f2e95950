import { existsSync, readFileSync } from "node:fs";
import { toOpenApi } from "../contract/projections/openapi.ts";
import { catalog, personTools } from "../tools/catalog.ts";

/** Written beside the compiled files by the build; never beside the source. */
const builtFile = new URL("../openapi.json", import.meta.url);

/** The description of the HTTP surface, as text. A server that runs from source has none built and derives it. */
export const readOpenApi = (): string => (existsSync(builtFile) ? readFileSync(builtFile, "utf8") : deriveOpenApi());

/** What the definitions give; it takes long enough that a server should not begin with it. */
export const deriveOpenApi = (): string => JSON.stringify(toOpenApi([...catalog, ...personTools]));
