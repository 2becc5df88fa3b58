import type { Page } from "playwright";
import { bffPaths } from "~/call";
import { loginCopy } from "~/copy/account";
import { errorPageCopy } from "~/copy/pages";
import { navCopy, siteCopy, updatesCopy } from "~/copy/site";
import { reportCopy, squareCopy } from "~/copy/square";
import { verdictCopy, verifyCopy } from "~/copy/verify";
import { paths } from "~/paths";
import { longTimeout, type Scene } from "./scene";

const askIn = (page: Page) => page.getByRole("link", { name: siteCopy.login, exact: true }).click();

async function sendCode(page: Page) {
  await page.getByLabel(loginCopy.phone, { exact: true }).fill(`138${String(Date.now() % 1e8).padStart(8, "0")}`);
  await page.getByRole("button", { name: loginCopy.send }).click();
  await page.getByRole("button", { name: loginCopy.fill }).waitFor(longTimeout);
}

async function check(page: Page, file: string, answer: string) {
  await page.getByLabel(new RegExp(verifyCopy.pick)).setInputFiles(file);
  await page.getByRole("heading", { level: 2, name: answer }).waitFor(longTimeout);
}

export const visitorScenes: Scene[] = [
  { name: "login", title: "登录页", path: paths.login, hasAllLooks: true },
  { name: "login-code", title: "验证码发出去了", path: paths.login, prepare: sendCode },
  { name: "login-dialog", title: "登录弹窗", path: paths.home, prepare: askIn },
  {
    name: "login-faults",
    title: "没有填对",
    path: paths.home,
    async prepare(page) {
      await askIn(page);
      await page.getByLabel(loginCopy.phone, { exact: true }).fill("1380000");
      await page.getByRole("button", { name: loginCopy.send }).click();
    },
  },
  { name: "square", title: "广场", path: paths.square, hasAllLooks: true },
  { name: "square-nothing", title: "广场里没有找到", path: `${paths.square}?keyword=火星人` },
  {
    name: "square-report",
    title: "举报",
    path: paths.square,
    async prepare(page) {
      await page
        .getByRole("button", { name: new RegExp(`^${squareCopy.menu("")}`) })
        .first()
        .click();
      await page.getByRole("menuitem", { name: reportCopy.go }).click();
    },
  },
  { name: "role-visitor", title: "数字人，没有登录", path: paths.role },
  { name: "clone-visitor", title: "声音克隆，没有登录", path: paths.clone },
  { name: "dubbing-visitor", title: "配音，没有登录", path: paths.dubbing },
  { name: "subscribe-visitor", title: "会员，没有登录", path: paths.subscribe },
  { name: "verify", title: "核验", path: paths.verify },
  {
    name: "verify-other",
    title: "核验：不是本站生成",
    path: paths.verify,
    prepare: (page, { foreignFile }) => check(page, foreignFile, verdictCopy.other.heading),
  },
  {
    name: "verify-unclear",
    title: "核验：无法判定",
    path: paths.verify,
    prepare: (page, { shortFile }) => check(page, shortFile, verdictCopy.unclear.heading),
  },
  {
    name: "verify-failed",
    title: "核验：查询失败",
    path: paths.verify,
    async prepare(page, { foreignFile }) {
      await page.route(`**${bffPaths.upload("verify")}`, (route) => route.abort());
      await page.getByLabel(new RegExp(verifyCopy.pick)).setInputFiles(foreignFile);
      await page.getByRole("button", { name: verifyCopy.another }).waitFor(longTimeout);
    },
  },
  { name: "terms", title: "服务条款", path: paths.service },
  { name: "not-found", title: "没有这一页", path: paths.notFound },
  {
    name: "broken",
    title: "这一页出错了",
    path: paths.home,
    async prepare(page) {
      await page.route("**/main/square.data*", (route) => route.fulfill({ status: 500, body: "" }));
      await page.getByRole("link", { name: navCopy.square }).filter({ visible: true }).first().click();
      await page.getByRole("heading", { level: 1, name: errorPageCopy.heading }).waitFor(longTimeout);
    },
  },
  {
    name: "offline",
    title: "网络断开",
    path: paths.square,
    async prepare(page) {
      await page.waitForTimeout(4500); // the network watcher starts when the page is idle
      await page.context().setOffline(true);
      await page.getByText(updatesCopy.offline).waitFor();
    },
  },
  {
    name: "update",
    title: "网站有新版本",
    path: paths.home,
    async prepare(page) {
      await page.route(`**${paths.build}`, (route) => route.fulfill({ json: { buildId: "another" } }));
      await page.getByRole("region", { name: updatesCopy.label }).waitFor(longTimeout);
    },
  },
];

/** For a visitor who has not closed the operator's notice. */
export const bannerScenes: Scene[] = [{ name: "banner", title: "公告", path: paths.home }];
