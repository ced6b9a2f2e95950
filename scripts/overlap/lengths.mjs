/** How much agents write about their work: all of it, one sentence, or a title alone. */
export const lengths = ["full", "sentence", "title"];

/** The same projects with no more than that written about each piece of work. */
export function atLength(projects, length) {
  if (length === "full") return projects;
  const cut = (description) => (length === "title" || description === null ? null : firstSentence(description));
  return projects.map((project) => ({
    ...project,
    docs: project.docs.map((doc) => ({ ...doc, description: cut(doc.description) })),
  }));
}

const longestSentence = 200;

function firstSentence(text) {
  const trimmed = text.trim();
  const sentence = /^[\s\S]*?[.!?](?=\s|$)/.exec(trimmed)?.[0] ?? trimmed.split("\n")[0];
  return sentence.slice(0, longestSentence);
}
