import type { Page } from "playwright";
import { bffPaths } from "~/call";
import { accountCopy } from "~/copy/account";
import { checkoutCopy } from "~/copy/checkout";
import { serviceCopy } from "~/copy/site";
import { subscribePageCopy } from "~/copy/subscribe";
import { paths } from "~/paths";
import { longTimeout, type Scene } from "./scene";

const openMenu = (page: Page) => page.getByRole("button", { name: new RegExp(`^${accountCopy.label}`) }).click();
const dialog = (page: Page) => page.getByRole("dialog", { name: checkoutCopy.title });

async function order(page: Page) {
  if (!(await dialog(page).isVisible()))
    await page.getByRole("button", { name: new RegExp(subscribePageCopy.buy[2]) }).click();
  const code = dialog(page).getByRole("img", { name: checkoutCopy.qr });
  await code.or(dialog(page).getByRole("link")).first().waitFor(longTimeout);
}

async function pay(page: Page) {
  await order(page);
  const cashierPath = await dialog(page).getByRole("link").first().getAttribute("href");
  const headers = { origin: new URL(page.url()).origin };
  await page.request.post(`${cashierPath}.data`, { form: { lever: "pay" }, headers });
  await page.getByRole("dialog", { name: checkoutCopy.success.title }).waitFor(longTimeout);
}

/** For a new account. */
export const newcomerScenes: Scene[] = [
  { name: "clone-empty", title: "声音克隆，还没有记录", path: paths.clone },
  { name: "role-empty", title: "还没有数字人", path: paths.role },
  { name: "dubbing-empty", title: "配音，空稿", path: paths.dubbing },
  { name: "subscribe-newcomer", title: "会员，还没有买过", path: paths.subscribe, isFullPage: true },
  { name: "account-newcomer", title: "账号菜单，还没有会员", path: paths.service, prepare: openMenu },
  {
    name: "question",
    title: "先问一句",
    path: paths.service,
    async prepare(page) {
      await openMenu(page);
      await page.getByRole("button", { name: accountCopy.logOut }).click();
    },
  },
  {
    name: "contact",
    title: "联系客服",
    path: paths.service,
    onlySize: "desktop",
    prepare: (page) => page.getByRole("button", { name: serviceCopy.open }).click(),
  },
  {
    name: "pay-failed",
    title: "套餐没有打开",
    path: paths.subscribe,
    async prepare(page) {
      await page.route(`**${bffPaths.passed("products")}`, (route) => route.abort());
      await page.getByRole("button", { name: new RegExp(subscribePageCopy.buy[2]) }).click();
      await page.getByRole("dialog").getByRole("alert").waitFor(longTimeout);
    },
  },
];

/** For an account that buys; the last scene makes it a member. */
export const buyerScenes: Scene[] = [
  { name: "pay", title: "支付弹窗", path: paths.subscribe, hasAllLooks: true, prepare: order },
  {
    name: "pay-expired",
    title: "付款码过期",
    path: paths.subscribe,
    async prepare(page) {
      await page.clock.install();
      await page.reload({ waitUntil: "networkidle" });
      await order(page);
      await page.clock.fastForward("31:00");
      await dialog(page)
        .getByText(/过期，/)
        .or(dialog(page).getByRole("button", { name: /刷新|重新/ }))
        .first()
        .waitFor(longTimeout);
    },
  },
  {
    name: "pay-leaving",
    title: "离开前问一次",
    path: paths.subscribe,
    async prepare(page) {
      await order(page);
      await page.getByRole("button", { name: checkoutCopy.close }).click();
      await page.getByRole("alertdialog", { name: checkoutCopy.retention.title }).waitFor(longTimeout);
    },
  },
  {
    name: "cashier",
    title: "演示的收银台",
    path: paths.subscribe,
    async prepare(page) {
      await order(page);
      const cashierPath = (await dialog(page).getByRole("link").first().getAttribute("href")) ?? "";
      // A pending order reopens its dialog on the next page.
      await page.evaluate(() => [localStorage, sessionStorage].map((kept) => kept.clear()));
      await page.goto(cashierPath);
    },
  },
  { name: "pay-success", title: "支付成功", path: paths.subscribe, prepare: pay },
];
