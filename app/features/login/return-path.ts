/**
 * Where to go after a login: a path of this site, whatever the address asked for. Read as the browser will read it, so
 * that neither another host nor a path which itself looks like one (`/.//host`) comes through.
 */
export function returnPath(wanted: string | null, origin: string): string {
  if (!wanted || !URL.canParse(wanted, origin)) return "/";
  const { origin: found, pathname, search, hash } = new URL(wanted, origin);
  if (found !== origin || pathname.startsWith("//")) return "/";
  return /^\/(user\/login|bff)(\/|$)/.test(pathname) ? "/" : pathname + search + hash;
}
