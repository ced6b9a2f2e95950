import { expect, test } from "vitest";
import { hasDesktop } from "../../src/adapters/browser.ts";
import { table } from "../../src/transports/cli/table.ts";
import { cleanText, durationText, toJson } from "../../src/transports/cli/text.ts";

test.each([
  { what: "colours", text: "\u001b[31mred\u001b[0m", shown: "[31mred[0m" },
  { what: "a bell and a backspace", text: "a\u0007b\u0008c", shown: "abc" },
  { what: "single-byte control sequences", text: "a\u009b2Jb", shown: "a2Jb" },
  { what: "line ends", text: "one\r\ntwo\u2028three", shown: "one two three" },
  { what: "turned reading direction", text: "a\u202eb\u2066c", shown: "abc" },
  { what: "what cannot be seen", text: "a\u200bb\ufeffc", shown: "abc" },
  { what: "letters of any language", text: "Grüße 你好", shown: "Grüße 你好" },
])("[CL7] $what in a text cannot steer a terminal", ({ text, shown }) => {
  expect(cleanText(text)).toBe(shown);
});

test("[CL7] JSON keeps every character and shows none that steers", () => {
  const value = { text: "\u001b[31m \u009b \u202e \u2028 \u{e0001} é" };
  const written = toJson(value);
  expect(JSON.parse(written)).toEqual(value);
  expect(written).toMatch(/^[\x20-\x7eé]*$/u);
});

test("[CL7] a table is cleaned before it is measured", () => {
  expect(
    table([
      ["a\u0007", "b"],
      ["longer", "c\n\nd"],
    ]),
  ).toEqual(["a       b", "longer  c d"]);
});

test.each([
  { ms: 0, text: "0 s" },
  { ms: 59_999, text: "59 s" },
  { ms: 61_000, text: "1 min" },
  { ms: 7_200_000, text: "2 h" },
  { ms: 90_000_000, text: "1 d" },
])("[CL29] $ms ms are shown as $text", ({ ms, text }) => {
  expect(durationText(ms)).toBe(text);
});

test.each([
  { platform: "linux", env: {}, expected: false },
  { platform: "linux", env: { DISPLAY: ":0" }, expected: true },
  { platform: "linux", env: { WAYLAND_DISPLAY: "wayland-0" }, expected: true },
  { platform: "darwin", env: {}, expected: true },
  { platform: "win32", env: {}, expected: true },
] as const)("[CL26] whether $platform with $env has a desktop: $expected", ({ platform, env, expected }) => {
  expect(hasDesktop(env, platform)).toBe(expected);
});
