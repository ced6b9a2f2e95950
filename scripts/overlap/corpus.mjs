import { toDoc } from "./data.mjs";

/** So many tasks: titles and descriptions of real ones in new pairs, or made from the shipped words where there are none. */
export function makeCorpus(size, docs, words) {
  const pick = docs.length > 0 ? (at) => mix(docs, at) : (at) => invent(words, at);
  return Array.from({ length: size }, (_, at) => ({ ...pick(at), id: `task-${at}` }));
}

function mix(docs, at) {
  const other = docs[(at * 7_919 + Math.floor(at / docs.length)) % docs.length];
  return { ...docs[at % docs.length], description: other.description };
}

/** Common words come often, rare ones seldom, as in any text. */
function invent(words, seed) {
  let state = (seed + 1) * 2_654_435_761;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return words[Math.floor(words.length * (state / 2 ** 32) ** 3)];
  };
  const say = (count) => Array.from({ length: count }, next).join(" ");
  return toDoc({ id: "", title: say(8), description: say(80) });
}
