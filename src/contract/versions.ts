/** Both versions come from here and nowhere else. A check keeps `toolVersion` equal to package.json (CT23). */

/** The version of the published schemas; a check computes the bump that is due against the last released set. */
export const schemaVersion = "1.1.0";

/** The version of the package. */
export const toolVersion = "0.1.0";

export const serverName = "crewdeck";

/** Newest first. Everything but the first is spoken with an `initialize` handshake. */
export const protocolVersions = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

/** From this revision on there is no handshake and no session; `-32001` is no longer ours to use. */
export const firstModernRevision = "2026-07-28";

/** What a connection without a handshake is taken to speak. */
export const oldestRevision = "2024-11-05";

/** From this revision on, bad arguments are an `isError` result that a model can repair, not a protocol error (MC14). */
export const firstRevisionWithArgumentResults = "2025-11-25";
