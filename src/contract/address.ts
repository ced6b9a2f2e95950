/** `/api/tasks/:id` and `{ id, limit: 5 }` as `/api/tasks/tk_1?limit=5`. What is not given is left out. */
export function addressOf(path: string, query: object): string {
  const search = new URLSearchParams();
  let address = path;
  for (const [name, value] of Object.entries(query)) {
    if (path.split("/").includes(`:${name}`)) address = address.replace(`:${name}`, encodeURIComponent(String(value)));
    else if (value !== undefined && value !== "")
      search.set(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  const text = search.toString();
  return text === "" ? address : `${address}?${text}`;
}
