const mobileBelow = 768;
const tabletUpTo = 1024;

/** By the window's width in CSS pixels; a desktop's window may be as narrow as a tablet, but its pointer is fine. */
export const toDevice = (width: number, hasCoarsePointer: boolean) => ({
  isMobile: width < mobileBelow,
  isTablet: width >= mobileBelow && width <= tabletUpTo && hasCoarsePointer,
});

/** The server's guess for the first paint; the browser's width decides after. Tablets are not phones. */
export function guessMobile(headers: Headers): boolean {
  const hint = headers.get("sec-ch-ua-mobile");
  if (hint) return hint === "?1";
  const agent = headers.get("user-agent") ?? "";
  return /iPhone|iPod|Windows Phone|Android.*Mobile|Mobile.*Firefox|HarmonyOS.*Mobile/i.test(agent);
}
