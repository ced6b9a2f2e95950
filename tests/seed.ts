import fc from "fast-check";

/** What all chance in the tests starts from (decision 0012); TEST_SEED repeats a run, or tries another. */
export const seed = Number(process.env["TEST_SEED"]);

fc.configureGlobal({ seed });
