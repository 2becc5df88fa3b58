import { expiryCopy } from "~/copy/account";
import { formatDay } from "~/copy/format";
import { paths } from "~/paths";
import type { User } from "./account-sync";

const daySeconds = 86_400;
const shownBefore = 3 * daySeconds;
const shownAfter = 7 * daySeconds;

/** Said across the top in the days before and after a membership ends, which nothing renews; null at other times. */
export function expiryNotice(user: User | null | undefined, nowSeconds: number) {
  const end = Math.max(user?.vipExpire ?? 0, user?.svipExpire ?? 0);
  if (end - nowSeconds > shownBefore || nowSeconds - end > shownAfter) return null;
  const text = end > nowSeconds ? expiryCopy.ends(formatDay(end)) : expiryCopy.ended(formatDay(end));
  return { text, link: paths.subscribe };
}
