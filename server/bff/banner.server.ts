import { createHash } from "node:crypto";

interface Banner {
  text: string;
  link: string | null;
}

const cookieName = "banner-closed";

const keptSeconds = 180 * 24 * 60 * 60;

export const isBannerId = (value: unknown): value is string =>
  typeof value === "string" && /^[0-9a-f]{12}$/.test(value);

export const closedBannerCookie = (id: string) =>
  `${cookieName}=${id}; Path=/; Max-Age=${keptSeconds}; SameSite=Lax; HttpOnly`;

/** The notice with an id of its words, so that a new one shows again; null where there is none or it was closed. */
export function openBanner(banner: Banner | null, cookies: string | null): (Banner & { id: string }) | null {
  if (!banner) return null;
  const id = createHash("sha256").update(banner.text).digest("hex").slice(0, 12);
  const isClosed = cookies?.split(/;\s*/).includes(`${cookieName}=${id}`) ?? false;
  return isClosed ? null : { ...banner, id };
}
