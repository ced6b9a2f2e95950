import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The top folder of the repository these scripts lie in. */
export const root = resolve(fileURLToPath(import.meta.url), "../../..");

/** The tree a check looks at: `--root DIR`, else this repository. */
export function readRootOption() {
  const place = process.argv.indexOf("--root");
  return place === -1 ? root : resolve(process.argv[place + 1] ?? ".");
}
