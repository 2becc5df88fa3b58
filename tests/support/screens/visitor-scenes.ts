import type { Page } from "playwright";
import { bffPaths } from "~/call";
import { loginCopy } from "~/copy/account";
import { navCopy, siteCopy, updatesCopy } from "~/copy/site";
import { reportCopy } from "~/copy/square";
import { verdictCopy, verifyCopy } from "~/copy/verify";
import { paths } from "~/paths";
import { patient, type Scene } from "./scene";

const askIn = (page: Page) => page.getByRole("link", { name: siteCopy.login, exact: true }).click();

async function sendCode(page: Page) {
  await page.getByLabel(loginCopy.phone, { exact: true }).fill(`138${String(Date.now() % 1e8).padStart(8, "0")}`);
  await page.getByRole("button", { name: loginCopy.send }).click();
  await page.getByRole("button", { name: loginCopy.fill }).waitFor(patient);
}

async function check(page: Page, file: string, answer: string) {
  await page.getByLabel(new RegExp(verifyCopy.pick)).setInputFiles(file);
  await page.getByRole("heading", { level: 2, name: answer }).waitFor(patient);
}

export const visitorScenes: Scene[] = [
  { name: "login", says: "登录页", path: paths.login, isMain: true },
  { name: "login-code", says: "验证码发出去了", path: paths.login, prepare: sendCode },
  { name: "login-dialog", says: "登录弹窗", path: paths.home, prepare: askIn },
  {
    name: "login-faults",
    says: "没有填对",
    path: paths.home,
    async prepare(page) {
      await askIn(page);
      await page.getByLabel(loginCopy.phone, { exact: true }).fill("1380000");
      await page.getByRole("button", { name: loginCopy.send }).click();
    },
  },
  { name: "square", says: "广场", path: paths.square, isMain: true },
  { name: "square-nothing", says: "广场里没有找到", path: `${paths.square}?keyword=火星人` },
  {
    name: "square-report",
    says: "举报",
    path: paths.square,
    prepare: (page) =>
      page
        .getByRole("button", { name: new RegExp(`^${reportCopy.open("")}`) })
        .first()
        .click(),
  },
  { name: "role-visitor", says: "数字人，没有登录", path: paths.role },
  { name: "clone-visitor", says: "声音克隆，没有登录", path: paths.clone },
  { name: "dubbing-visitor", says: "配音，没有登录", path: paths.dubbing },
  { name: "subscribe-visitor", says: "会员，没有登录", path: paths.subscribe },
  { name: "verify", says: "核验", path: paths.verify },
  {
    name: "verify-other",
    says: "核验：不是本站生成",
    path: paths.verify,
    prepare: (page, { foreignFile }) => check(page, foreignFile, verdictCopy.other.heading),
  },
  {
    name: "verify-unclear",
    says: "核验：无法判定",
    path: paths.verify,
    prepare: (page, { shortFile }) => check(page, shortFile, verdictCopy.unclear.heading),
  },
  {
    name: "verify-failed",
    says: "核验：没有查成",
    path: paths.verify,
    async prepare(page, { foreignFile }) {
      await page.route(`**${bffPaths.verifyFile}`, (route) => route.abort());
      await page.getByLabel(new RegExp(verifyCopy.pick)).setInputFiles(foreignFile);
      await page.getByRole("button", { name: verifyCopy.another }).waitFor(patient);
    },
  },
  { name: "terms", says: "服务条款", path: paths.service },
  { name: "not-found", says: "没有这一页", path: paths.notFound },
  {
    name: "broken",
    says: "这一页出错了",
    path: paths.home,
    async prepare(page) {
      await page.route("**/main/square.data*", (route) => route.fulfill({ status: 500, body: "" }));
      await page.getByRole("link", { name: navCopy.square }).filter({ visible: true }).first().click();
      await page.getByRole("heading", { level: 1, name: /没有打开/ }).waitFor(patient);
    },
  },
  {
    name: "offline",
    says: "网络断开",
    path: paths.square,
    async prepare(page) {
      await page.waitForTimeout(4500); // the watch over the network begins when the page has come to rest
      await page.context().setOffline(true);
      await page.getByText(updatesCopy.offline).waitFor();
    },
  },
  {
    name: "update",
    says: "网站有新版本",
    path: paths.home,
    async prepare(page) {
      await page.route(`**${paths.build}`, (route) => route.fulfill({ json: { buildId: "another" } }));
      await page.getByRole("region", { name: updatesCopy.label }).waitFor(patient);
    },
  },
];

/** Where the operator's notice has not been closed. */
export const bannerScenes: Scene[] = [{ name: "banner", says: "公告", path: paths.home }];
