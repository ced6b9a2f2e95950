/** Restores a backup, as the command does. */
import { verifyStore } from "../../../dist/domain/ledger/operations.js";
import { restoreStore } from "../../../dist/storage/restore.js";
import { print, readAsk } from "./ask.mjs";

const { backup, location } = readAsk();
print(await restoreStore(backup, location, verifyStore));
