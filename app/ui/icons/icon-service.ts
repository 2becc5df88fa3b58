/** Where the site's own endpoint lies, below its origin. */
export const iconPath = "/icons";

let service: string | null = null;

/** Origin of another service of Iconify's protocol; null: only our own endpoint. Said once, before any icon shows. */
export function setIconService(origin: string | null) {
  service = origin;
}

export const iconService = () => service;
