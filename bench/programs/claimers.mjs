/** A node of its own on a shared database: `URL COUNT [TOKEN]`. Claims for as long as each line on stdin says, and tells. */

import { createInterface } from "node:readline";
import { makeClaimers } from "../kit/claimers.mjs";
import { openBenchHouse } from "../kit/house.mjs";
import { pump } from "../kit/measure.mjs";

const [url, count, known] = process.argv.slice(2);
const { house, call, token } = await openBenchHouse(url, known);
const claimers = await makeClaimers(call, Number(count));
await pump(claimers, 1_000);
console.log(JSON.stringify({ token }));
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await pump(claimers, Number(line))));
}
await house.close();
