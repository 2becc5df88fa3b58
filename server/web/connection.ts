import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import type { Config } from "../config";

/**
 * Accepts the hosts of SITE_URL and of the addresses for notifications; in demo mode also localhost and IP literals. An
 * api accepts any: web servers call it by an internal name, and it knows callers by headers, never by cookies.
 */
export function createHostCheck({ mode, role, siteUrl, payments }: HostSettings): (host: string) => boolean {
  const addresses = [siteUrl, payments.wechatPay?.notifyUrl, payments.alipay?.notifyUrl];
  const own = new Set(addresses.map((address) => address && new URL(address).host));
  return (host) => {
    const name = hostName(host);
    if (name === null) return false;
    if (role === "api" || own.has(host)) return true;
    return mode === "demo" && (isLocalName(name) || isLiteral(name));
  };
}

type HostSettings = Pick<Config, "mode" | "role" | "siteUrl" | "payments">;

const isLocalName = (name: string) => name === "localhost" || name.endsWith(".localhost");
const isLiteral = (name: string) => /^\d+\.\d+\.\d+\.\d+$/.test(name) || name.startsWith("[");

let lastHost: { host: string; name: string | null } = { host: "", name: null };

/** The name without its port; null for a malformed host. Nearly all requests name the same one: parsing takes 5 µs. */
function hostName(host: string): string | null {
  if (lastHost.host !== host) lastHost = { host, name: parseHostName(host) };
  return lastHost.name;
}

function parseHostName(host: string): string | null {
  if (!/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/.test(host) || !URL.canParse(`http://${host}`)) return null;
  return new URL(`http://${host}`).hostname;
}

/** Browsers accept Secure cookies from localhost over plain HTTP. */
export const isLocalhost = (host: string) => isLocalName(hostName(host) ?? "");

/** SITE_URL in production; in demo mode the origin that the client used and the host check accepted. */
export function originOf({ mode, siteUrl }: Pick<Config, "mode" | "siteUrl">, connection: ClientConnection): string {
  return mode === "production" && siteUrl ? siteUrl : `${connection.protocol}://${connection.host}`;
}

/** The client's address and the origin it used. X-Forwarded-* headers count only from a trusted proxy. */
export interface ClientConnection {
  /** IPv4 whole, IPv6 by its /64 network, as rate limits count it. */
  clientAddress: string;
  /** Without a proxy. */
  isDirect: boolean;
  protocol: "http" | "https";
  /** Host header of the client, in lower case; "" without one. */
  host: string;
}

type Parsed = ReturnType<typeof ipaddr.process>;

const parse = (text: string): Parsed | null => {
  const bare = text
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, "$1")
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : null;
};

/** Returns a function that reads a request's connection. `trustedProxies` are addresses and CIDR ranges; throws on others. */
export function createConnectionReader(trustedProxies: string[]) {
  const ranges = trustedProxies.map(toRange);
  const isTrusted = (address: Parsed) =>
    ranges.some(([range, bits]) => address.kind() === range.kind() && address.match(range, bits));

  return (incoming: Pick<IncomingMessage, "headers" | "socket"> | undefined): ClientConnection => {
    const peer = parse(incoming?.socket?.remoteAddress ?? "");
    const headers = incoming?.headers ?? {};
    const isBehindProxy = peer !== null && isTrusted(peer);
    const forwarded = isBehindProxy ? last(headers["x-forwarded-proto"]) : undefined;
    const client = isBehindProxy ? findClient(list(headers["x-forwarded-for"]), peer, isTrusted) : peer;
    return {
      clientAddress: client ? toCountedAddress(client) : "0.0.0.0",
      isDirect: !isBehindProxy && headers["x-forwarded-for"] === undefined,
      protocol: forwarded === "https" ? "https" : "http",
      host: ((isBehindProxy && last(headers["x-forwarded-host"])) || headers.host || "").toLowerCase(),
    };
  };
}

function toRange(entry: string): [Parsed, number] {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry);
  if (!ipaddr.isValid(entry)) throw new Error(`TRUSTED_PROXIES: ${entry} is neither an address nor a CIDR range`);
  const address = ipaddr.process(entry);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

/** The first address from the nearest hop outwards that is not a trusted proxy. */
function findClient(hops: string[], peer: Parsed, isTrusted: (address: Parsed) => boolean): Parsed {
  let nearest = peer;
  for (const hop of hops.reverse()) {
    const address = parse(hop);
    if (!address) return nearest;
    nearest = address;
    if (!isTrusted(address)) return address;
  }
  return nearest;
}

/** IPv6 providers assign a /64 per household or office. */
function toCountedAddress(address: Parsed): string {
  if (address.kind() === "ipv4") return address.toString();
  const parts = (address as ipaddr.IPv6).parts.map((part, i) => (i < 4 ? part : 0));
  return new ipaddr.IPv6(parts).toString();
}

const list = (value: string | string[] | undefined) => [value ?? []].flat().flatMap((text) => text.split(","));
const last = (value: string | string[] | undefined) => list(value).at(-1)?.trim();
