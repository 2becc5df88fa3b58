import { createHash } from "node:crypto";

interface Banner {
  text: string;
  link: string | null;
}

/** Also known to the page, which writes it when somebody closes the notice. */
const cookieName = "banner-closed";

/** The notice with an id of its words, so that a new one shows again; null where there is none or it was closed. */
export function openBanner(banner: Banner | null, cookies: string | null): (Banner & { id: string }) | null {
  if (!banner) return null;
  const id = createHash("sha256").update(banner.text).digest("hex").slice(0, 12);
  const isClosed = cookies?.split(/;\s*/).includes(`${cookieName}=${id}`) ?? false;
  return isClosed ? null : { ...banner, id };
}
