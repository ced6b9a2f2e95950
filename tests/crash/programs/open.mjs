/** Opens a house and closes it again. */
import { open, print, readAsk } from "./house.mjs";

const { house, firstToken } = await open(readAsk().location);
print({ hasToken: firstToken !== null });
await house.close();
