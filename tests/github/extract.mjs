import { readFileSync, writeFileSync } from "node:fs";

/**
 * Takes what our requests touch out of GitHub's published description (the npm package `@octokit/openapi`, MIT), without
 * its prose, because the whole is 400 MB: `node tests/github/extract.mjs PATH/TO/generated/api.github.com.json VERSION`.
 */
const [file, version] = process.argv.slice(2);
const whole = JSON.parse(readFileSync(file, "utf8"));

const wanted = [
  ["/repos/{owner}/{repo}/pulls", "get"],
  ["/repos/{owner}/{repo}/pulls", "post"],
  ["/repos/{owner}/{repo}/pulls/{pull_number}", "get"],
  ["/repos/{owner}/{repo}/issues", "get"],
  ["/repos/{owner}/{repo}/issues", "post"],
];

const prose = new Set([
  "description",
  "example",
  "examples",
  "summary",
  "externalDocs",
  "x-github",
  "title",
  "deprecated",
]);

const bare = (value, isMap = false) => {
  if (Array.isArray(value)) return value.map((item) => bare(item));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key, item]) => isMap || !prose.has(key) || (typeof item === "object" && key === "title"),
  );
  return Object.fromEntries(kept.map(([key, item]) => [key, bare(item, key === "properties" || key === "responses")]));
};

const components = {};
function follow(value) {
  if (Array.isArray(value)) return value.forEach(follow);
  if (typeof value !== "object" || value === null) return;
  const [, kind, name] = /^#\/components\/(\w+)\/(.+)$/.exec(value.$ref ?? "") ?? [];
  if (kind && !components[kind]?.[name]) {
    components[kind] ??= {};
    components[kind][name] = bare(whole.components[kind][name]);
    follow(components[kind][name]);
  }
  Object.values(value).forEach(follow);
}

const paths = {};
for (const [path, method] of wanted) {
  const { parameters, requestBody, responses } = whole.paths[path][method];
  const taken = bare({ parameters, requestBody, responses });
  follow(taken);
  paths[path] = { ...paths[path], [method]: taken };
}
const from = `@octokit/openapi ${version}, api.github.com`;
writeFileSync(
  new URL("description.generated.json", import.meta.url),
  `${JSON.stringify({ from, paths, components })}\n`,
);
