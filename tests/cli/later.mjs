/** Loaded before the program: it believes that three days have passed, so that every age has the same length. */
const { now } = Date;
Date.now = () => now() + 3 * 86_400_000 + 60_000;
