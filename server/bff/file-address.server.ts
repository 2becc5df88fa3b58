import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

/** Where files of the upstream may lie, besides `<base>/api/v1/files/<id>`. */
export interface FilePlaces {
  /** The upstream's own base URL, as configured. */
  base: string;
  /** Paths of the upstream's origin below which it keeps files, each from "/" to "/", as configured. */
  filePaths: string[];
  /** Further origins its answers may name, as configured. They never see the caller's token. */
  fileOrigins: string[];
}

export interface FileAddress {
  url: URL;
  /** Of the upstream itself: the caller's token goes along. */
  isOwn: boolean;
  /** What sounds when, as JSON; everything else is sound or picture. */
  isTimeline: boolean;
}

/** Nothing in such a path changes by decoding or normalising: no escape, no dot segment, no empty one, no parameter. */
const plainPath = /^(\/[\w~-][\w.~-]*)+$/;
const ownFile = /^\/api\/v1\/files\/[^/]+$/;
const otherCall = /\/api\/v1\/(?!files?\/)/i;
const plainQuery = /^(\?[\w.~=&-]*)?$/;
const maxLength = 2000;

/**
 * The one decision on which addresses the file proxy fetches: the URL of the file that the upstream named, or null.
 * Allowed are `/api/v1/files/<id>` of the upstream, the configured paths of its origin, and the configured further
 * origins, each spelt plainly: an address that any decoder or URL parser would read as another one is null.
 */
export function fileAddress(reference: string, { base, filePaths, fileOrigins }: FilePlaces): FileAddress | null {
  const named = split(reference);
  if (!named || !plainPath.test(named.path)) return null;
  const { origin, path, query } = named;
  const isTimeline = path.endsWith(".json");
  const root = new URL(base);
  if (origin === null || origin === root.origin) {
    const own = ownPath(named, { prefix: root.pathname.replace(/\/$/, ""), filePaths });
    return own === null ? null : { url: new URL(own, root.origin), isOwn: true, isTimeline };
  }
  const url = new URL(`${origin}${path}${query}`);
  return fileOrigins.includes(origin) && isPublicHost(url) ? { url, isOwn: false, isTimeline } : null;
}

interface NamedFile {
  /** Null for a path alone. */
  origin: string | null;
  path: string;
  query: string;
}

/** Apart by hand: a URL parser would already normalise. Null where there is a user, a fragment or an unprintable character. */
function split(reference: string): NamedFile | null {
  const [, authority, path, query = ""] =
    /^(https?:\/\/[\w.:[\]-]+)?(\/[^?#]*)(\?[\x21\x22\x24-\x7e]*)?$/i.exec(reference) ?? [];
  if (!path || reference.length > maxLength) return null;
  if (authority === undefined) return { origin: null, path, query };
  return URL.canParse(authority) ? { origin: new URL(authority).origin, path, query } : null;
}

/** Path and query below the upstream's origin; a path alone may lack the prefix under which the upstream is installed. */
function ownPath(
  { origin, path, query }: NamedFile,
  { prefix, filePaths }: { prefix: string; filePaths: string[] },
): string | null {
  const isPrefixed = prefix !== "" && path.startsWith(`${prefix}/`);
  const below = isPrefixed ? path.slice(prefix.length) : path;
  if (ownFile.test(below) && (isPrefixed || prefix === "" || origin === null)) {
    return query === "" || query === "?download=1" ? `${prefix}${below}${query}` : null;
  }
  const isConfigured = filePaths.some((start) => path.startsWith(start)) && !otherCall.test(path);
  return isConfigured && plainQuery.test(query) ? `${path}${query}` : null;
}

const isPublicAddress = (address: string) => ipaddr.process(address).range() === "unicast";

/** Address literals are never looked up, so they are judged here. */
function isPublicHost({ hostname }: URL): boolean {
  const literal = hostname.replace(/^\[|\]$/g, "");
  return !ipaddr.isValid(literal) || isPublicAddress(literal);
}

/** The look-up of the connection itself: a name that leads to a private address, even the second time, is not connected to. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, "");
    if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address)))
      return callback(new Error(`${hostname} is not a public address`), "");
    if (options.all) return callback(null, addresses);
    const [first] = addresses;
    callback(null, first?.address ?? "", first?.family);
  });
};
