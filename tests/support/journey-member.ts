import { type APIRequestContext, expect } from "playwright/test";
import { bffPaths } from "~/call";
import { paths } from "~/paths";

export type Tier = "vip" | "svip";

interface Visitor {
  request: APIRequestContext;
  url(): string;
  goto(path: string): Promise<unknown>;
}

/** Logs this browser in and buys a month of a tier at the sandbox gateway through the pages' calls. */
export async function buyTier(page: Visitor, phone: string, tier: Tier): Promise<void> {
  await page.goto(paths.service);
  const { origin } = new URL(page.url());
  const headers = { origin };
  const post = async (path: string, data: object) => (await page.request.post(path, { data, headers })).json();
  const sent = await post(bffPaths.passed("captcha"), { phone });
  await post(bffPaths.session, { phone, verifyCode: sent.demoCode });
  const { order } = await post(bffPaths.orders, { pCode: `${tier}-month`, platform: 1, isPhone: false });
  await page.request.post(`${order.cashierPath}.data`, { form: { lever: "pay" }, headers });
  await expect
    .poll(async () => (await (await page.request.get(bffPaths.account)).json()).user?.[`${tier}Expire`], {
      timeout: 15_000,
    })
    .toBeGreaterThan(0);
}
