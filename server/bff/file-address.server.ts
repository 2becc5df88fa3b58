import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

interface Places {
  /** The upstream's own base URL, as configured. */
  base: string;
  /** Further origins its answers may name, as configured. */
  fileOrigins: string[];
}

/**
 * The URL to fetch for a file the upstream named, or null. Only the upstream's own files and the listed origins: the
 * caller's token goes along, so neither another host nor another call of the API may be reached through here.
 */
export function fileAddress(reference: string, { base, fileOrigins }: Places): { url: URL; isOwn: boolean } | null {
  if (/[\p{Cc}\\\s]|%2f|%5c|%00/iu.test(reference)) return null;
  const root = new URL(base);
  const prefix = root.pathname.replace(/\/$/, "");
  const isPath = reference.startsWith("/") && !reference.startsWith("//");
  if (!isPath && !/^https?:\/\//.test(reference)) return null;
  const path = isPath && !reference.startsWith(`${prefix}/api/`) ? prefix + reference : reference;
  if (!URL.canParse(path, root)) return null;
  const url = new URL(path, root);
  if (url.username || url.password || reference.includes("#")) return null;
  if (url.origin === root.origin) return isOwnFile(url, prefix) ? { url, isOwn: true } : null;
  return fileOrigins.includes(url.origin) && isPublicHost(url) ? { url, isOwn: false } : null;
}

/** /api/v1/files/… itself, or something beside the API altogether. */
function isOwnFile({ pathname }: URL, prefix: string): boolean {
  const api = `${prefix}/api/`;
  return (
    pathname.startsWith(`${api}v1/files/`) || (pathname.startsWith(`${prefix}/`) && !/\/api(\/|$)/i.test(pathname))
  );
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
