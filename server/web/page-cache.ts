import type { MiddlewareHandler } from "hono";
import { guessMobile } from "../bff/frame.server";
import type { PublicVersion } from "../public-reads";
import { encodingOf, targetOf, type WebContext, type WebEnv } from "./request";

interface PageCacheOptions {
  /** A newer version drops every page. */
  version: PublicVersion;
  /** The session of a new visitor, so that this browser's first changes all come from one. */
  newVisitorCookie(c: WebContext): Promise<string | null>;
  now?: () => number;
}

type CachedPage = { body: Uint8Array<ArrayBuffer>; headers: [string, string][]; renderedAt: number; version: number };

const maxAgeMs = 2_000;
const maxPages = 64;
const maxPageBytes = 256 * 1024;

/**
 * Keeps whole answers, compressed and with their nonce, for GETs without a cookie. The nonce is independent of the page's
 * content, so repeating it for two seconds gives nothing away. Requests that arrive during a render wait for it.
 */
export function cacheVisitorPages({ version, newVisitorCookie, now = Date.now }: PageCacheOptions) {
  const pages = new Map<string, CachedPage>();
  const renders = new Map<string, Promise<boolean>>();
  const isCurrent = (page: CachedPage) => page.version === version.current() && now() - page.renderedAt < maxAgeMs;

  /** False if the answer is not a page for everybody. */
  async function render(c: WebContext, key: string, next: () => Promise<void>): Promise<boolean> {
    const start = { renderedAt: now(), version: version.current() };
    await next();
    const { status, headers } = c.res;
    const isHtml = headers.get("content-type")?.startsWith("text/html");
    const isPublic = headers.get("cache-control")?.startsWith("public");
    if (status !== 200 || !isHtml || isPublic || headers.has("set-cookie")) return false;
    const page = { ...start, body: new Uint8Array(await c.res.arrayBuffer()), headers: [...headers] };
    c.res = undefined; // otherwise Hono merges both responses
    c.res = new Response(page.body, { headers: page.headers });
    pages.delete(key);
    if (pages.size >= maxPages) pages.delete(pages.keys().next().value ?? "");
    if (page.body.byteLength <= maxPageBytes) pages.set(key, page);
    return true;
  }

  const cache: MiddlewareHandler<WebEnv> = async (c, next) => {
    if (c.req.method !== "GET" || c.req.header("cookie") !== undefined) return next();
    const { protocol, host } = c.get("connection");
    const key = [protocol, host, targetOf(c), guessMobile(c.req.raw.headers), encodingOf(c)].join(" ");
    if (renders.has(key)) await renders.get(key)?.catch(() => false);
    const page = pages.get(key);
    const isCached = page !== undefined && isCurrent(page);
    if (isCached) c.res = new Response(page.body, { headers: page.headers });
    const rendering = isCached || render(c, key, next).finally(() => renders.delete(key));
    if (rendering !== true) renders.set(key, rendering);
    const cookie = (await rendering) && (await newVisitorCookie(c));
    if (cookie) c.res.headers.append("set-cookie", cookie);
  };
  return cache;
}
