/**
 * Plays an agent's program: it says when it began in a file of its own and, once `talk` lies beside that, puts out the
 * moment of each line with it.
 */
import { existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const now = () => performance.timeOrigin + performance.now();
const began = now();
const [folder, name = process.env.INSTANCE_ID] = process.argv.slice(2);
process.stdout.write("here\r\n");
const file = join(folder, name);
writeFileSync(`${file}.new`, String(began));
renameSync(`${file}.new`, file);
setInterval(() => {
  if (existsSync(join(folder, "talk"))) process.stdout.write(`<${now()}>\r\n`);
}, 50);
