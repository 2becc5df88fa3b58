export const mobileBelow = 768;
export const tabletUpTo = 1024;

/** The server's guess for the first paint; the browser's width decides after. Tablets are not phones. */
export function guessMobile(headers: Headers): boolean {
  const hint = headers.get("sec-ch-ua-mobile");
  if (hint) return hint === "?1";
  const agent = headers.get("user-agent") ?? "";
  return /iPhone|iPod|Windows Phone|Android.*Mobile|Mobile.*Firefox|HarmonyOS.*Mobile/i.test(agent);
}
