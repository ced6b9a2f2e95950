/**
 * `npm run gen`: writes everything that is derived from the definitions and committed. `--check` only compares and
 * names what has drifted. `--release` also keeps the present set as the released one, which a version has only once;
 * `--replace` writes it anew while nobody has that version. `--pictures` also takes those of the README. `--root DIR`
 * writes to another tree.
 */
import { generate } from "./gen/generate.mjs";
import { ensureOutput } from "./steps/output.mjs";
import { readRootOption, root } from "./steps/root.mjs";

const options = process.argv.slice(2);
process.exitCode = 1;
if (await ensureOutput(root)) {
  const { code, lines } = await generate(readRootOption(), options);
  for (const line of lines) console.log(line);
  if (options.includes("--pictures")) await (await import("./pictures.mjs")).writePictures();
  process.exitCode = code;
}
