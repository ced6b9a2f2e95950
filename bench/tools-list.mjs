import { encode } from "gpt-tokenizer";
import { loadCatalogue } from "./kit/house.mjs";
import { row } from "./kit/rows.mjs";

export const title = "What listing the tools costs a client, for each profile";

export async function run() {
  const { listTools, parseSelection } = await import("../dist/contract/listing.js");
  const catalogue = loadCatalogue();
  const profiles = ["core", ...new Set(catalogue.tools.map((tool) => tool.family)), "all"];
  const texts = new Map(
    profiles.map((name) => [
      name,
      JSON.stringify({ tools: listTools(catalogue, parseSelection(name, {}, catalogue), undefined) }),
    ]),
  );
  return profiles.flatMap((name) => {
    const text = texts.get(name);
    const against = { peer: "the whole list" };
    const all = texts.get("all");
    return [
      row({
        what: `${name}, bytes`,
        value: Buffer.byteLength(text),
        unit: "bytes",
        ...against,
        peerValue: Buffer.byteLength(all),
      }),
      row({
        what: `${name}, characters / 4`,
        value: Math.ceil(text.length / 4),
        unit: "tokens",
        ...against,
        peerValue: Math.ceil(all.length / 4),
        aim: name === "core" ? { atMost: 1_500 } : undefined,
      }),
      row({
        what: `${name}, by a tokenizer`,
        value: encode(text).length,
        unit: "tokens",
        ...against,
        peerValue: encode(all).length,
      }),
    ];
  });
}
