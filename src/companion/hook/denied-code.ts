/** What `hook git` ends with where a commit must not be made: no crash and no missing program ends with it. */
export const deniedCode = 17;
