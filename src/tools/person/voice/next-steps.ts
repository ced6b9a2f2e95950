/** Next steps that lead to the tools of this family. */
export const personSteps = {
  listDoubts: "List what waits with overlap_list.",
  listDevelopers: "List them with developer_list.",
  listTokens: "List them with token_list.",
  listOwnCopies: "See your own with vault_list.",
  listCopies: "See which are kept with vault_list.",
  listFindings: "Import findings with triage_ingest, or list them with finding_list.",
} as const;
