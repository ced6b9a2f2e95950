/** What somebody wrote: text, or an object two agents have agreed on. */
export const textOfBody = (body: string | Readonly<Record<string, unknown>>): string =>
  typeof body === "string" ? body : `\`\`\`\n${JSON.stringify(body, null, 2)}\n\`\`\``;
