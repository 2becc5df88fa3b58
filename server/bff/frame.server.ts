import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { IconifyJSON } from "@iconify/types";
import { getIcons } from "@iconify/utils/lib/icon-set/get-icons";
import { fileTypeFromBuffer } from "file-type";
import { renderSVG } from "uqr";
import type { Session } from "./session.server";
import type { Upstream } from "./upstream.server";

const pictureMaxAgeSeconds = 300;
const pictures = new Set(["image/png", "image/jpeg", "image/webp"]);

/** The operator's picture, or a generated code; null if the picture cannot be read. */
export async function contactQrResponse(contact: { qrText: string; qrImage: string | null }, siteUrl: string) {
  const headers = (type: string) => ({
    "content-type": type,
    "cache-control": `public, max-age=${pictureMaxAgeSeconds}`,
  });
  if (!contact.qrImage) {
    // Without a text the code leads to this site, to continue on a phone.
    const drawing = renderSVG(contact.qrText || siteUrl, { border: 0 });
    return new Response(drawing, { headers: headers("image/svg+xml") });
  }
  const picture = await readFile(contact.qrImage).catch(() => null);
  const type = picture && (await fileTypeFromBuffer(picture))?.mime;
  if (!picture || !type || !pictures.has(type)) return null;
  return new Response(new Uint8Array(picture), { headers: headers(type) });
}

interface Banner {
  text: string;
  link: string | null;
}

const cookieName = "banner-closed";

const bannerMaxAgeSeconds = 180 * 24 * 60 * 60;

export const isBannerId = (value: unknown): value is string =>
  typeof value === "string" && /^[0-9a-f]{12}$/.test(value);

/** Number of closed banners that the cookie remembers. */
const closedMax = 4;

const closedIn = (cookies: string | null): string[] => {
  const [, ids = ""] = new RegExp(`(?:^|;\\s*)${cookieName}=([0-9a-f.]*)`).exec(cookies ?? "") ?? [];
  return ids.split(".").filter(isBannerId);
};

/** The Set-Cookie header after a banner was closed. */
export function closedBannerCookie(id: string, cookies: string | null): string {
  const ids = [id, ...closedIn(cookies).filter((other) => other !== id)].slice(0, closedMax);
  return `${cookieName}=${ids.join(".")}; Path=/; Max-Age=${bannerMaxAgeSeconds}; SameSite=Lax; HttpOnly`;
}

/**
 * The first banner that was not closed, with an id derived from its text, so that a new text shows again; null without
 * one.
 */
export function openBanner(
  banners: ReadonlyArray<Banner | null>,
  cookies: string | null,
): (Banner & { id: string }) | null {
  const closed = closedIn(cookies);
  const withIds = banners.flatMap((banner) => {
    if (!banner) return [];
    return [{ ...banner, id: createHash("sha256").update(banner.text).digest("hex").slice(0, 12) }];
  });
  return withIds.find(({ id }) => !closed.includes(id)) ?? null;
}

/** The device for the first paint; the browser's width decides after. Tablets are not phones. */
export function guessMobile(headers: Headers): boolean {
  const hint = headers.get("sec-ch-ua-mobile");
  if (hint) return hint === "?1";
  const agent = headers.get("user-agent") ?? "";
  return /iPhone|iPod|Windows Phone|Android.*Mobile|Mobile.*Firefox|HarmonyOS.*Mobile/i.test(agent);
}

/** The installed icon sets; another one needs its package and a row here. */
const installed: Record<string, string> = { lucide: "@iconify-json/lucide/icons.json" };

const maxNames = 64;
const maxCached = 200;
const sets = new Map<string, Promise<IconifyJSON>>();
const cached = new Map<string, string>();

function readSet(prefix: string): Promise<IconifyJSON> | null {
  const file = Object.hasOwn(installed, prefix) && installed[prefix];
  if (!file) return null;
  const reading = sets.get(prefix) ?? readFile(createRequire(import.meta.url).resolve(file), "utf8").then(JSON.parse);
  sets.set(prefix, reading);
  return reading;
}

/**
 * Icons of one set in the format of Iconify's API, unknown names under `not_found`. Null for a set that is not installed,
 * without names, and above 64 names.
 */
export async function findIcons(prefix: string, names: string[]): Promise<string | null> {
  const wanted = [...new Set(names)].filter((name) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)).sort();
  const reading = readSet(prefix);
  if (!reading || wanted.length === 0 || wanted.length > maxNames) return null;
  const key = `${prefix}:${wanted.join()}`;
  const known = cached.get(key);
  if (known) return known;
  const subset = getIcons(await reading, wanted, true);
  const json = JSON.stringify(subset ?? { prefix, icons: {}, not_found: wanted });
  if (cached.size >= maxCached) cached.delete(cached.keys().next().value ?? "");
  cached.set(key, json);
  return json;
}

declare module "@remix-run/node" {
  interface Future {
    v3_singleFetch: true;
  }
  interface AppLoadContext extends SiteContext {}
}

/** The operator's settings of what surrounds every page. */
interface Frame {
  contact: { text: string | null; qrText: string; qrImage: string | null } | null;
  operator: { company: string | null; icpNumber: string | null };
  banner: { text: string; link: string | null } | null;
  buildCheckMs: number;
  iconServiceUrl: string | null;
  analytics: { baiduId: string | null; baiduTags: string[]; gtagId: string | null; hasRawPhone: boolean };
}

/** The context of every loader and action. */
export interface SiteContext {
  /** CSP nonce of inline scripts and styles. */
  nonce: string;
  siteName: string;
  /** The public origin, without a trailing slash. */
  siteUrl: string;
  /** Changes with the browser's files. */
  buildId: string;
  frame: Frame;
  /** The upstream on behalf of this visitor. */
  upstream: Upstream;
  session: Session;
  /** The visitor's address; IPv6 by /64. */
  clientAddress: string;
  /** HTTPS or localhost, where browsers allow the microphone. */
  isSecure: boolean;
  /** Shown with errors, for support. */
  requestId: string;
  /** The request is for a document, not for the data of a page change in the browser. */
  isDocument: boolean;
  /** Aborts when the server starts to shut down. */
  closing: AbortSignal;
  /** Logs an error that visitors must not see. */
  report(error: unknown): void;
}
