import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The description of the HTTP surface, derived by the code that was just compiled and published at its route. */
export async function writeOpenApi(folder) {
  const source = join(folder, "main", "openapi.js");
  if (!existsSync(source)) return;
  const { deriveOpenApi } = await import(pathToFileURL(source));
  writeFileSync(join(folder, "openapi.json"), deriveOpenApi());
}
