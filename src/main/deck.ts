import { fileURLToPath } from "node:url";

/** The deck is always served as it was built, by a server that runs from source too. */
export const deckDir = fileURLToPath(new URL("../../dist/dashboard", import.meta.url));
