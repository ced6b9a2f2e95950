/** `npm run build`: dist from src, from scratch. */

import { buildOutput } from "./steps/output.mjs";
import { ensurePackages } from "./steps/packages.mjs";
import { root } from "./steps/root.mjs";

process.exitCode = (await ensurePackages(root)) && (await buildOutput(root)) ? 0 : 1;
