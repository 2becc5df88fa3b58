/** The path after a login: `wanted` if it is a path of this site, otherwise "/". Parsed as browsers parse it, so that `//host` and `/.//host` cannot lead to another site. */
export function returnPath(wanted: string | null, origin: string): string {
  if (!wanted || !URL.canParse(wanted, origin)) return "/";
  const { origin: found, pathname, search, hash } = new URL(wanted, origin);
  if (found !== origin || pathname.startsWith("//")) return "/";
  return /^\/(user\/login|bff)(\/|$)/.test(pathname) ? "/" : pathname + search + hash;
}
