/** Opens a house and closes it again. */
import { print, readAsk } from "./ask.mjs";
import { open } from "./house.mjs";

const { house, firstToken } = await open(readAsk().location);
print({ hasToken: firstToken !== null });
await house.close();
