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

/** The operator's picture, or a drawn code; a picture that cannot be read gives null. */
export async function contactQr(contact: { qrText: string; qrImage: string | null }, siteUrl: string) {
  const headers = (type: string) => ({
    "content-type": type,
    "cache-control": `public, max-age=${pictureMaxAgeSeconds}`,
  });
  if (!contact.qrImage) {
    // Nothing said: it leads to the site itself, so that one can go on with a phone.
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

export const closedBannerCookie = (id: string) =>
  `${cookieName}=${id}; Path=/; Max-Age=${bannerMaxAgeSeconds}; SameSite=Lax; HttpOnly`;

/** The notice with an id of its words, so that a new one shows again; null where there is none or it was closed. */
export function openBanner(banner: Banner | null, cookies: string | null): (Banner & { id: string }) | null {
  if (!banner) return null;
  const id = createHash("sha256").update(banner.text).digest("hex").slice(0, 12);
  const isClosed = cookies?.split(/;\s*/).includes(`${cookieName}=${id}`) ?? false;
  return isClosed ? null : { ...banner, id };
}

/** The sets that are installed beside the site; another one is a package and a row. */
const installed: Record<string, string> = { lucide: "@iconify-json/lucide/icons.json" };

const mostNames = 64;
const mostKept = 200;
const sets = new Map<string, Promise<IconifyJSON>>();
const kept = new Map<string, string>();

function readSet(prefix: string): Promise<IconifyJSON> | null {
  const file = Object.hasOwn(installed, prefix) && installed[prefix];
  if (!file) return null;
  const reading = sets.get(prefix) ?? readFile(createRequire(import.meta.url).resolve(file), "utf8").then(JSON.parse);
  sets.set(prefix, reading);
  return reading;
}

/**
 * The icons of one set in Iconify's format, as its API gives them: unknown names stand under `not_found`. Null for a set
 * that is not installed, for no name, and for more names than any page has.
 */
export async function iconsOf(prefix: string, names: string[]): Promise<string | null> {
  const wanted = [...new Set(names)].filter((name) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)).sort();
  const reading = readSet(prefix);
  if (!reading || wanted.length === 0 || wanted.length > mostNames) return null;
  const key = `${prefix}:${wanted.join()}`;
  const known = kept.get(key);
  if (known) return known;
  const subset = getIcons(await reading, wanted, true);
  const json = JSON.stringify(subset ?? { prefix, icons: {}, not_found: wanted });
  if (kept.size >= mostKept) kept.delete(kept.keys().next().value ?? "");
  kept.set(key, json);
  return json;
}

declare module "@remix-run/node" {
  interface Future {
    v3_singleFetch: true;
  }
  interface AppLoadContext extends SiteContext {}
}

/** What the operator says about the things around every page. */
interface Frame {
  contact: { text: string | null; qrText: string; qrImage: string | null } | null;
  banner: { text: string; link: string | null } | null;
  buildCheckMs: number;
  iconServiceUrl: string | null;
  analytics: { baiduId: string | null; baiduTags: string[]; gtagId: string | null; hasRawPhone: boolean };
}

/** What the web host gives to every loader and action. */
export interface SiteContext {
  /** For inline scripts and styles, in all four places of the document. */
  nonce: string;
  siteName: string;
  /** Origin people see, without a trailing slash. */
  siteUrl: string;
  /** Changes whenever the browser's files do. */
  buildId: string;
  frame: Frame;
  /** The upstream on behalf of this visitor. */
  upstream: Upstream;
  session: Session;
  /** The visitor's address; IPv6 by /64. */
  clientAddress: string;
  /** https, or localhost: where the browser gives a microphone. */
  isSecure: boolean;
  /** To quote when something went wrong. */
  requestId: string;
  /** Aborts when the server begins to shut down: long answers end. */
  closing: AbortSignal;
  /** Logs what no visitor may see. */
  report(error: unknown): void;
}
