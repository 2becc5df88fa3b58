import type { Page } from "playwright/test";
import { bffPaths } from "~/call";
import { accountCopy } from "~/copy/account";
import { formatSpeed } from "~/copy/format";
import { playerCopy, siteCopy } from "~/copy/site";
import { worksCopy as words } from "~/copy/works";
import { paths } from "~/paths";
import { buyTier } from "../support/journey-member";
import { newPhone } from "../support/new-phone";
import { expectAccessible } from "./axe";
import { expect, test } from "./fixtures";

const clones = 20;
const dubTitle = "河边的对话";
const lines = ["你昨天去哪里了？", "我去河边看书了。"];

const rows = (page: Page) =>
  page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { level: 3 }) });
const kind = (page: Page, name: string) =>
  page.getByRole("navigation", { name: words.kind }).getByRole("link", { name });

/** A member with more results than a page shows; the dub is the newest. */
async function makeWorks(page: Page) {
  await buyTier(page, newPhone(), "svip");
  const { origin } = new URL(page.url());
  const post = async (path: string, data: object) =>
    (await page.request.post(path, { data, headers: { origin } })).json();
  const { voices } = await (await page.request.get(bffPaths.squareVoices)).json();
  const roleId = voices[0].roleId;
  for (let i = 1; i <= clones; i++) await post(bffPaths.clones, { content: `第${i}句话。`, roleId });
  await post(bffPaths.dubs, { title: dubTitle, lines: lines.map((content) => ({ content, roleId })) });
  const isBusy = async () => {
    const { list } = await post(bffPaths.passed("workList"), { pageSize: 100 });
    return list.some(({ status }: { status: number }) => status === 1);
  };
  await expect.poll(isBusy, { timeout: 60_000 }).toBe(false);
}

test("a member finds all results on one page, with what they take", async ({ page, context, browser, productUrl }) => {
  test.slow();
  await makeWorks(page);
  await page.goto(paths.service);
  await page.getByRole("button", { name: new RegExp(`^${siteCopy.account}`) }).click();
  await page.getByRole("link", { name: accountCopy.works }).click();
  await expect(page.getByRole("heading", { level: 1, name: words.heading })).toBeVisible();
  await expect(rows(page)).toHaveCount(20);
  await expect(page.getByText(words.storage.kept)).toBeVisible();
  await expect(page.getByText(/共 21 个作品（单句 20、配音 1、视频 0）/)).toBeVisible();
  await expectAccessible(page, "the list of works");

  await page.getByRole("link", { name: words.more }).focus();
  await page.keyboard.press("Enter");
  await expect(rows(page)).toHaveCount(clones + 1);
  await test.step("who comes back finds the rows that were loaded", async () => {
    await page.getByRole("button", { name: words.menu("第1句话") }).press("Enter");
    await page.getByRole("menuitem", { name: words.open.clone }).press("Enter");
    await expect(page).toHaveURL(new RegExp(paths.clone));
    await page.goBack();
    await expect(rows(page)).toHaveCount(clones + 1);
  });

  await page.getByLabel(words.search).fill("第7句");
  await expect(rows(page)).toHaveCount(1);
  await kind(page, words.kinds.dub).click();
  await expect(page.getByText(words.nothingFound.sentence)).toBeVisible();
  await page.getByRole("link", { name: words.nothingFound.action }).click();
  await expect(page.getByLabel(words.search)).toHaveValue("");
  await expect(rows(page)).toHaveCount(20);
  await kind(page, words.kinds.dub).click();
  await expect(rows(page)).toHaveCount(1);

  await page.getByRole("button", { name: words.play(dubTitle) }).click();
  await page.getByLabel(playerCopy.speed).selectOption(formatSpeed(1.5));
  await test.step("another browser of the account plays at the same speed, and needs no scripts for the list", async () => {
    const other = await browser.newContext({ baseURL: productUrl });
    await other.addCookies(await context.cookies());
    const elsewhere = await other.newPage();
    await elsewhere.goto(paths.works, { waitUntil: "networkidle" });
    await elsewhere.getByRole("button", { name: words.play(dubTitle) }).click();
    await expect(elsewhere.getByLabel(playerCopy.speed)).toHaveValue("1.5");
    await other.close();
    const plain = await browser.newContext({ baseURL: productUrl, javaScriptEnabled: false });
    await plain.addCookies(await context.cookies());
    const still = await plain.newPage();
    await still.goto(`${paths.works}?keyword=${encodeURIComponent("第7句")}`);
    await expect(rows(still)).toHaveCount(1);
    await expect(still.getByRole("link", { name: words.download })).toHaveAttribute("href", /media/);
    await still.goto(paths.works);
    await still.getByRole("link", { name: words.more }).click();
    await expect(rows(still)).toHaveCount(1);
    await plain.close();
  });

  await page.getByRole("button", { name: words.menu(dubTitle) }).click();
  await page.getByRole("menuitem", { name: words.open.dub }).click();
  for (const content of lines) await expect(page.getByText(content, { exact: true }).first()).toBeVisible();
});

test("a result is deleted after a question, and its place is given back", async ({ page }) => {
  test.slow();
  await makeWorks(page);
  await page.goto(paths.works, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: words.menu(dubTitle) }).press("Enter");
  await page.getByRole("menuitem", { name: words.remove }).press("Enter");
  const { title, confirm } = words.removing(dubTitle, "dub");
  await page
    .getByRole("dialog", { name: title })
    .or(page.getByRole("alertdialog", { name: title }))
    .getByRole("button", { name: confirm })
    .click();
  await expect(page.getByText(words.removed)).toBeVisible();
  await expect(page.getByText(dubTitle)).toHaveCount(0);
  await expect(page.getByText(/共 20 个作品（单句 20、配音 0、视频 0）/)).toBeVisible();
});
