import type { Context } from "hono";
import ipaddr from "ipaddr.js";
import { AppError } from "../errors";

/** What the host hands over beside a request; nothing at all means a call from within this process. */
export interface HostBindings {
  incoming?: { socket?: { remoteAddress?: string | undefined } };
}

export type AddressOf = (c: Context) => string;

/**
 * The network address trials and rates are counted by; IPv6 by its /64. `x-forwarded-for` is believed from within this
 * process and from trusted proxies alone.
 */
export function createAddressOf(trustedProxies: string[]): AddressOf {
  const trusted = trustedProxies.map((range) => ipaddr.parseCIDR(range.includes("/") ? range : hostRange(range)));
  const isTrusted = (address: string) => {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return trusted.some((range) => parsed.kind() === range[0].kind() && parsed.match(range));
  };
  return (c) => {
    const peer = (c.env as HostBindings | undefined)?.incoming?.socket?.remoteAddress;
    const forwarded = (c.req.header("x-forwarded-for") ?? "").split(",").map((part) => part.trim());
    if (peer !== undefined && !isTrusted(peer)) return normalised(peer);
    // The nearest address that is no proxy of ours: what stands left of it was written by the caller.
    const nearest = forwarded.reverse().find((address) => address !== "" && !isTrusted(address));
    return normalised(nearest ?? peer ?? "");
  };
}

const hostRange = (address: string) => `${address}/${ipaddr.parse(address).kind() === "ipv4" ? 32 : 128}`;

function normalised(given: string): string {
  const address = given.replace(/\/64$/, "");
  if (!ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`;
}

const visitorId = /^[\w-]{8,100}$/;

/** The visitor the BFF names; throws where it named none. */
export function requireVisitor(c: Context): string {
  const id = c.req.header("x-visitor-id") ?? "";
  if (!visitorId.test(id)) throw new AppError("bad-request", "x-visitor-id is missing or malformed", { status: 400 });
  return id;
}

/** Names one wish of the caller over its repeats; undefined where it sent none. */
export function idempotencyKeyOf(c: Context): string | undefined {
  const key = c.req.header("idempotency-key");
  if (key === undefined || key === "") return undefined;
  if (key.length > 200) throw new AppError("bad-request", "idempotency-key is too long", { status: 400 });
  return key;
}
