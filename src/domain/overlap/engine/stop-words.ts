/**
 * Words that say nothing about which work is meant; they are in no vector. Those that turn a sentence round (before,
 * after, off, without) are not among them.
 */
export const stopWords: ReadonlySet<string> = toSet(`
  a about again all also am an and any anything are as at be because been being between both but by can could did do
  does doing during each etc every few for from further had has have having he her here him his how i if in into is it
  its itself just me more most my no nor not of on once only or other our out over own per please same she should so
  some something such than that the their them then there these they this those through to too until up very via was we
  were what when where which while who whom why will with would you your eg ie s t d ll re ve dont doesnt cant isnt
  arent wont didnt`);

/** Of two titles that differ in these alone nobody would say that they are different. */
export const fillers: ReadonlySet<string> = toSet("a an the for of to in on at by and is are be");

function toSet(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ""));
}
