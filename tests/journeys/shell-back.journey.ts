import type { Page } from "playwright/test";
import { loginCopy } from "~/copy/account";
import { checkoutCopy } from "~/copy/checkout";
import { servicePageCopy } from "~/copy/pages";
import { siteCopy, tabBarCopy } from "~/copy/site";
import { reportCopy, squareCopy } from "~/copy/square";
import { paths } from "~/paths";
import { expect, logIn, test } from "./people";

const dialog = (page: Page) => page.getByRole("dialog");
const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const menuOfHuman = (page: Page) => page.getByRole("button", { name: new RegExp(`^${squareCopy.menu("")}`) }).first();

/** Opens the home page and the square by its tab. */
async function openSquare(page: Page) {
  await page.goto(paths.home, { waitUntil: "networkidle" });
  await page.getByRole("link", { name: tabBarCopy.square, exact: true }).first().click();
  await expect(heading(page)).toHaveText(squareCopy.heading);
}

async function openReport(page: Page) {
  await menuOfHuman(page).click();
  await page.getByRole("menuitem", { name: reportCopy.go }).click();
  await expect(dialog(page)).toBeVisible();
}

for (const width of [360, 1280]) {
  test.describe(`Back, ${width} px wide`, () => {
    test.use({ viewport: { width, height: 740 } });

    test("closes the topmost dialog, then leaves the page", async ({ page }) => {
      await openSquare(page);
      const reads: string[] = [];
      page.on("request", (request) => request.url().includes(".data") && reads.push(request.url()));
      await openReport(page);
      await page.goBack();
      await expect(dialog(page)).toHaveCount(0);
      await expect(page).toHaveURL(new RegExp(`${paths.square}$`));
      await page.goForward();
      await expect(heading(page)).toHaveText(squareCopy.heading);
      await openReport(page);
      await dialog(page).getByRole("button", { name: reportCopy.cancel }).first().click();
      await expect(dialog(page)).toHaveCount(0);
      expect(reads).toEqual([]);
      await page.goBack();
      await expect(page).toHaveURL(/:\d+\/$/);
    });
  });
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test("a reload with an open dialog takes no step more to leave the page", async ({ page }) => {
    await openSquare(page);
    await openReport(page);
    await page.reload({ waitUntil: "networkidle" });
    await expect(dialog(page)).toHaveCount(0);
    await page.goBack();
    await expect(page).toHaveURL(/:\d+\/$/);
  });

  test("Back and Forward switch between the page and the target of a link in a dialog", async ({ page }) => {
    await page.goto(paths.square, { waitUntil: "networkidle" });
    await page
      .getByRole("button", { name: siteCopy.login })
      .or(page.getByRole("link", { name: siteCopy.login }))
      .first()
      .click();
    await dialog(page).getByRole("link", { name: loginCopy.terms }).click();
    await expect(heading(page)).toHaveText(servicePageCopy.title);
    await expect(dialog(page)).toHaveCount(0);
    await page.goBack();
    await expect(heading(page)).toHaveText(squareCopy.heading);
    await expect(dialog(page)).toHaveCount(0);
    await page.goForward();
    await expect(heading(page)).toHaveText(servicePageCopy.title);
  });

  test("Back in the pay dialog asks first, closes it next and stays on the page", async ({ page }) => {
    await logIn(page);
    await page.goto(paths.subscribe, { waitUntil: "networkidle" });
    await page.getByRole("button", { name: /开通/ }).first().click();
    await expect(page.getByRole("dialog", { name: checkoutCopy.title })).toBeVisible();
    await page.goBack();
    const question = page.getByRole("alertdialog");
    await expect(question).toBeVisible();
    await page.goBack();
    await expect(question).toHaveCount(0);
    await expect(page).toHaveURL(new RegExp(`${paths.subscribe}$`));
  });
});
