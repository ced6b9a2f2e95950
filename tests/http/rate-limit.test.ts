import { expect, test } from "vitest";
import { sourceOf } from "../../src/transports/http/rate-limit.ts";

test.each([
  { addresses: ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"], source: "this machine" },
  { addresses: ["10.1.2.3", "::ffff:10.1.2.3"], source: "10.1.2.3" },
  { addresses: ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::9"], source: "2001:db8:1:2" },
  { addresses: ["2001:db8::1", "2001:db8::2:3"], source: "2001:db8:0:0" },
])("[SE52] $addresses are counted as one", ({ addresses, source }) => {
  expect(new Set(addresses.map(sourceOf))).toEqual(new Set([source]));
});
