/** Larger files are skipped: nobody wrote them by hand. */
export const mostBytes = 5 * 1024 * 1024;
