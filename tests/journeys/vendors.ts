import type { Page } from "playwright/test";

export const iconService = "https://icons.invalid";

/** Answers for both vendors with scripts that only record their load, so that tests can read the queues, and for icons. */
export async function stubVendors(page: Page): Promise<string[]> {
  const loaded: string[] = [];
  await page.route(/hm\.baidu\.com|googletagmanager\.com|google-analytics\.com/, (route) => {
    loaded.push(route.request().url());
    return route.fulfill({ contentType: "text/javascript", body: "window.vendorRan = (window.vendorRan ?? 0) + 1;" });
  });
  await page.route(`${iconService}/**`, (route) => {
    const icons = (new URL(route.request().url()).searchParams.get("icons") ?? "").split(",");
    return route.fulfill({
      headers: { "access-control-allow-origin": "*" },
      json: { prefix: "lucide", icons: Object.fromEntries(icons.map((name) => [name, { body: "<path/>" }])) },
    });
  });
  return loaded;
}

/** Returns the vendors' queues, which stay unconsumed. */
export const queues = (page: Page) =>
  page.evaluate(() => ({
    hmt: (window as { _hmt?: unknown[][] })._hmt ?? null,
    gtag: (window as { dataLayer?: IArguments[] }).dataLayer?.map((entry) => [
      Object.prototype.toString.call(entry),
      ...Array.from(entry),
    ]),
    ran: (window as { vendorRan?: number }).vendorRan ?? 0,
  }));

/** Returns the events in Google's queue with their details. */
export const toldDeeds = async (page: Page) =>
  (await queues(page)).gtag?.map(([, , deed, about]) => [deed, about]) ?? [];
