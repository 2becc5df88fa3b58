import type { Config } from "../config";

/** Which Host headers are ours: SITE_URL's; in demo mode localhost and address literals besides. */
export function createHostCheck({ mode, siteUrl }: Pick<Config, "mode" | "siteUrl">): (host: string) => boolean {
  const own = siteUrl ? new URL(siteUrl).host : null;
  return (host) => {
    const name = hostName(host);
    if (name === null) return false;
    if (own !== null && host === own) return true;
    return mode === "demo" && (isLocalName(name) || isLiteral(name));
  };
}

const isLocalName = (name: string) => name === "localhost" || name.endsWith(".localhost");
const isLiteral = (name: string) => /^\d+\.\d+\.\d+\.\d+$/.test(name) || name.startsWith("[");

/** The name without its port; null unless it is a plain host. */
function hostName(host: string): string | null {
  if (!/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/.test(host) || !URL.canParse(`http://${host}`)) return null;
  return new URL(`http://${host}`).hostname;
}

/** Browsers take Secure cookies here although it is plain http. */
export const isLocalhost = (host: string) => isLocalName(hostName(host) ?? "");
