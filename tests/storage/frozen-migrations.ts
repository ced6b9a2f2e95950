/** The hashes of each migration's statements, for SQLite and for PostgreSQL. Lines are added and never changed. */
export const frozen: Readonly<Record<string, string>> = {
  "0001-house": "ef7dfad137021fa0 fe901db27d8b8628",
  "0002-work": "4d2d28374560233d d49d52f78bfc3c88",
  "0003-effects": "08991b4dd4448a50 cbf9bc6e3c06bdca",
  "0004-missions": "bb266e803dcf9857 50b8f9ede83b8354",
  "0005-team": "2439fd29665dfe99 42a175b1c23050b7",
  "0006-receipts": "385ef56ef8c981a5 5fb02f1c74bc64b7",
  "0007-words": "ce955119fbac2371 ce955119fbac2371",
  "0008-results": "b6761435eae37686 db64e1130ed9415e",
  "0009-presence": "54bfb9be38c06053 e79fe3851e4ad520",
  "0010-waiting": "5c46a6f32be10e2b de12023bc30837a4",
  "0011-repeats": "88112dfbd30c18fb 88112dfbd30c18fb",
  "0012-token-use": "61b29afcae310643 64aa62b433b46388",
  "0013-instances": "9aacc2b1776f5db0 4a70756a1a64bb79",
  "0014-findings": "de4d237db8c76146 39b4a5c628f12f70",
  "0015-named-workstreams": "32ff0692d9c62c85 32ff0692d9c62c85",
  "0016-reviews": "edb9185355811e1f 3e613fac39d8586a",
};
