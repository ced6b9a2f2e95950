import { lookup as lookUp } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { Refusal } from "../../../contract/refusal.ts";

/** An address to fetch from, with the hash that its content must have. */
export interface Wanted {
  readonly url: URL;
  readonly sha256: string;
}

/** What a caller asked for, as an address with its hash or by a name of the configured table. */
export function readWanted(
  asked: string,
  files: Readonly<Record<string, { readonly url: string; readonly sha256: string }>>,
): Wanted {
  const listed = Object.hasOwn(files, asked) ? files[asked] : undefined;
  if (listed) return { url: parseUrl(listed.url), sha256: listed.sha256.toLowerCase() };
  if (!asked.includes("://")) throw unverifiable();
  const url = parseUrl(asked);
  const [, hash] = /^#sha256=([0-9a-f]{64})$/i.exec(url.hash) ?? [];
  const known = Object.values(files).find((file) => file.url === asked)?.sha256;
  url.hash = "";
  if (hash === undefined && known === undefined) throw unverifiable();
  return { url, sha256: (hash ?? known ?? "").toLowerCase() };
}

function parseUrl(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw new Refusal("INVALID_REQUEST", "That is not an address.", "Pass an https address with #sha256=… at its end.");
  }
}

const unverifiable = (): Refusal =>
  new Refusal(
    "DOWNLOAD_VERIFY_FAILED",
    "The expected hash is not known, so nothing was downloaded.",
    "Add #sha256=… to the address, or list the file under downloads.files in config.json.",
  );

const loopbackNames = /^(localhost|127(\.\d+){3}|\[::1\])$/;

export const isLoopback = (url: URL): boolean => loopbackNames.test(url.hostname);

/** Whether this address may be asked at all: encrypted or on this machine, and of a host that was allowed (DL2). */
export function checkAddress(url: URL, hosts: readonly string[]): void {
  const isSafe = url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url));
  const bare = url.hostname.replace(/^\[|\]$/g, "");
  const isListed = hosts.some((host) => [url.hostname, bare].includes(host.toLowerCase()));
  if (isSafe && isListed && url.username === "" && url.password === "") return;
  throw new Refusal(
    "FORBIDDEN",
    isSafe ? "Downloads from that host are not allowed." : "Downloads use https, or http on this machine.",
    'Add the host to "downloads": {"allow": true, "hosts": […]} in config.json.',
  );
}

const insideOnly = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const) {
  insideOnly.addSubnet(network, prefix, "ipv4");
}
for (const [network, prefix] of [
  ["::", 127],
  ["64:ff9b::", 96],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const) {
  insideOnly.addSubnet(network, prefix, "ipv6");
}

/** Whether an address belongs to a network that the outside cannot reach. */
export function isPrivateAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/^\[|\]$/g, "");
  const family = isIP(plain);
  return family === 0 || insideOnly.check(plain, family === 4 ? "ipv4" : "ipv6");
}

/** Looks a name up and takes no answer that leads inside: the address that was judged is the one that is used. */
export const lookUpOutside: LookupFunction = (hostname, options, callback) =>
  lookUp(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, "", 0);
    const outside = addresses.filter(({ address }) => !isPrivateAddress(address));
    const [first] = outside;
    if (!first) return callback(Object.assign(new Error("a private address"), { code: "EPRIVATE" }), "", 0);
    return options.all ? callback(null, outside) : callback(null, first.address, first.family);
  });
