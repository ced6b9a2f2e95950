/** Clocks of several machines differ by so much at most; what lies further ahead was written by one that was wrong. */
export const clockSlackMs = 60_000;
