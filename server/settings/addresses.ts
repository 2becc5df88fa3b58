import ipaddr from "ipaddr.js";

/** Wide enough for 10.0.0.0/8 and fc00::/7, the widest private networks. */
const shortestPrefix = { ipv4: 8, ipv6: 7 };

/** Entries that are neither an address nor a CIDR range. */
export const strangeProxies = (entries: string[]): string[] =>
  entries
    .filter((entry) => !ipaddr.isValid(entry) && !ipaddr.isValidCIDR(entry))
    .map((entry) => `TRUSTED_PROXIES has ${JSON.stringify(entry)}, which is neither an address nor a CIDR range`);

/** Ranges so wide that strangers are in them and could name any address as theirs. */
export const wideProxies = (entries: string[]): string[] =>
  entries
    .filter((entry) => ipaddr.isValidCIDR(entry))
    .filter((entry) => {
      const [range, bits] = ipaddr.parseCIDR(entry);
      return bits < shortestPrefix[range.kind()];
    })
    .map((entry) => `TRUSTED_PROXIES has ${entry}, in which strangers are: name your own proxies' networks`);

/** An http or https URL. */
export const isHttp = (address: string) => /^https?:\/\//.test(address) && URL.canParse(address);
/** A path from "/" to "/" without escapes that contains no calls of the API. */
export const isFilePath = (path: string) =>
  /^(\/[\w~-][\w.~-]*)+\/$/.test(path) && !/\/api\/(v\d+\/)?$|\/api\/v1\/(?!files?\/)/i.test(path);
/** An origin, with or without a final slash. */
export const isOrigin = (address: string) => {
  const { origin, href } = new URL(address);
  return href === `${origin}/`;
};
