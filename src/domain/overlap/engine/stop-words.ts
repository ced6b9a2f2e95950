/** Words that say nothing about which work is meant. They are in no vector; a title's identity leaves only articles out. */
export const stopWords: ReadonlySet<string> = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by
  can could did do does doing down during each few for from further had has have having he her here him his how i if in
  into is it its itself just me more most my no nor not of off on once only or other our out over own same she should
  so some such than that the their them then there these they this those through to too under until up very was we were
  what when where which while who whom why will with would you your via per etc eg ie s t d ll re ve dont doesnt cant
  isnt arent wont didnt`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

export const articles: ReadonlySet<string> = new Set(["a", "an", "the"]);
