/**
 * Whether nobody but this machine can reach a server. A name of another host that it answers to is there for a proxy,
 * through which others come although it listens on this machine alone.
 */
export const isReachedFromHere = (host: string | undefined, allowedHosts: readonly string[]): boolean =>
  [host ?? "127.0.0.1", ...allowedHosts].every((name) => isOwn.test(name));

const isOwn = /^(?:(?:[^.]+\.)*localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i;
