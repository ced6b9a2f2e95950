import { hashSecret, isSecretOf } from "./secret.ts";

/**
 * What comes with a token: nothing for a bearer, else what the deck's page adds to the cookie. Cookies know no ports, so
 * whoever listens on another one of this host receives them; what the page keeps stays with its origin.
 */
export type PageKey = "bearer" | { readonly page: string | undefined };

/** The cookie of a program that signed in by itself: it has no browser that could carry it elsewhere. */
export const openLock = "open";

/** Until the page has chosen its half, only the code that it was sent opens anything, and only that choice. */
export const lockOfCode = (code: string): string => hashSecret(`code ${code}`);
export const lockOfPage = (page: string): string => hashSecret(`page ${page}`);

/** A bearer has no lock, a cookie always one. */
export function opensLock(lock: string | null, key: PageKey): boolean {
  if (lock === null || key === "bearer") return lock === null && key === "bearer";
  return lock === openLock || fits(`page ${key.page ?? ""}`, lock);
}

export const fitsCode = (code: string, lock: string | null): boolean => lock !== null && fits(`code ${code}`, lock);

const fits = (text: string, lock: string): boolean => /^[0-9a-f]{64}$/.test(lock) && isSecretOf(text, lock);

/** 256 bits as text, as our page makes them. */
export const isPageSecret = (text: string | undefined): text is string =>
  text !== undefined && /^[\w-]{43}$/.test(text);
