/** Locations of the upstream's files besides `<base>/api/v1/files/<id>`. */
export interface FilePlaces {
  /** The upstream's own base URL, as configured. */
  base: string;
  /** Path prefixes of the upstream's origin, each from "/" to "/", as configured. */
  filePaths: string[];
  /** Further origins, as configured; they may be private. They never receive the caller's token. */
  fileOrigins: string[];
}

export interface FileAddress {
  url: URL;
  /** On the upstream's origin: the caller's token is sent. */
  isOwn: boolean;
  /** A JSON timeline; otherwise a sound or a picture. */
  isTimeline: boolean;
}

/** Paths that decoding and normalising do not change: no escapes, dot segments, empty segments or parameters. */
const plainPath = /^(\/[\w~-][\w.~-]*)+$/;
const ownFile = /^\/api\/v1\/files\/[^/]+$/;
const otherCall = /\/api\/v1\/(?!files?\/)/i;
const plainQuery = /^(\?[\w.~=&-]*)?$/;
const maxLength = 2000;

/**
 * Decides which addresses the file proxy fetches: the URL of a file that the upstream named, or null. Allowed are
 * `/api/v1/files/<id>` of the upstream, the configured paths of its origin and the configured further origins. An address
 * that a decoder or URL parser would read as another one is null.
 */
export function findFileAddress(reference: string, { base, filePaths, fileOrigins }: FilePlaces): FileAddress | null {
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
  return fileOrigins.includes(origin) ? { url, isOwn: false, isTimeline } : null;
}

/** The setting that would allow a refused address, and the value to add; null if none would. */
export function findMissingSetting(reference: string, { base, filePaths, fileOrigins }: FilePlaces) {
  const named = split(reference);
  if (!named || !plainPath.test(named.path)) return null;
  const { origin, path } = named;
  const isForeign = origin !== null && origin !== new URL(base).origin;
  const value = isForeign ? origin : (/^\/[^/]+\//.exec(path)?.[0] ?? "/");
  if ((isForeign ? fileOrigins : filePaths).includes(value)) return null;
  return { setting: isForeign ? "FILE_ORIGINS" : "FILE_PATHS", value };
}

/** `files/a.mp3`, which some upstreams write for `/files/a.mp3`. */
const relativeFile = /^\w[\w-]*(\/[\w-][\w.-]*)*\/[\w.-]+\.\w+(\?\S*)?$/;

interface NamedFile {
  /** Null for a path without an origin. */
  origin: string | null;
  path: string;
  query: string;
}

/** Splits without a URL parser, which would normalise. Null for a user, a fragment or an unprintable character. */
function split(sent: string): NamedFile | null {
  const reference = relativeFile.test(sent) ? `/${sent}` : sent;
  const [, authority, path, query = ""] =
    /^(https?:\/\/[\w.:[\]-]+)?(\/[^?#]*)(\?[\x21\x22\x24-\x7e]*)?$/i.exec(reference) ?? [];
  if (!path || reference.length > maxLength) return null;
  if (authority === undefined) return { origin: null, path, query };
  return URL.canParse(authority) ? { origin: new URL(authority).origin, path, query } : null;
}

/** Path and query on the upstream's origin; without an origin the path may lack the upstream's path prefix. */
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
