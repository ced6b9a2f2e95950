/** Takes a store's lock and keeps it until stdin ends, or says who has it. */
import { lockStore, StoreHeldError } from "../../../dist/storage/lock.js";
import { print, readAsk } from "./ask.mjs";

const { file, home } = readAsk();
try {
  const lock = lockStore(file, { pid: process.pid, startedAt: new Date().toISOString(), home });
  print({ held: true });
  process.stdin.resume().on("end", () => lock.release());
} catch (error) {
  if (!(error instanceof StoreHeldError)) throw error;
  print({ held: false, holder: error.holder });
}
