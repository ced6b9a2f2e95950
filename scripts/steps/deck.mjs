import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * The web app, bundled for browsers. Every file but the page carries a hash of its content in its name, so that
 * browsers may keep it for good. Nothing is put inline: the page's rules allow neither inline scripts nor styles.
 */
export async function buildDeck(source, folder) {
  if (!existsSync(join(source, "index.html"))) return;
  const { build } = await import("vite");
  // Whoever asks for the build, a test runner too: React's libraries for development are half as large again.
  process.env.NODE_ENV = "production";
  await build({
    root: source,
    configFile: false,
    envFile: false,
    logLevel: "error",
    mode: "production",
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: "es2023",
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  });
}
