import { bffPaths } from "~/call";
import { clonePageCopy } from "~/copy/clone";
import {
  dubbingPageCopy,
  loginPageCopy,
  notFoundCopy,
  privacyPageCopy,
  rolePageCopy,
  servicePageCopy,
  slidesPageCopy,
} from "~/copy/pages";
import { homeTitle, navCopy, siteCopy } from "~/copy/site";
import { subscribePageCopy } from "~/copy/subscribe";
import { paths } from "~/paths";
import { expect, test } from "./fixtures";

const siteName = "声像";
const titles: Record<string, string> = {
  [paths.home]: homeTitle(siteName),
  [paths.role]: rolePageCopy.title,
  [paths.clone]: clonePageCopy.title,
  [paths.square]: navCopy.square,
  [paths.dubbing]: dubbingPageCopy.title,
  [paths.slides]: slidesPageCopy.title,
  [paths.service]: servicePageCopy.title,
  [paths.privacy]: privacyPageCopy.title,
  [paths.login]: loginPageCopy.title,
  [paths.subscribe]: subscribePageCopy.title,
};

test("every specified route renders under its title", async ({ page }) => {
  for (const [path, title] of Object.entries(titles)) {
    const answer = await page.goto(path);
    expect(answer?.status(), path).toBe(200);
    await expect(page, path).toHaveTitle(new RegExp(title));
    await expect(page.getByRole("heading", { level: 1 }), path).toHaveCount(1);
  }
});

test("the server renders the role page's title and not its content", async ({ request }) => {
  const html = await (await request.get(paths.role)).text();
  expect(html).toContain(`<title>${rolePageCopy.title}`);
  expect(html).not.toContain(`<h1`);
});

test("guards redirect to the specified pages", async ({ request }) => {
  const go = async (path: string) => {
    const answer = await request.get(path, { maxRedirects: 0 });
    return [answer.status(), answer.headers().location];
  };
  expect(await go(paths.aboutus)).toEqual([302, paths.home]);
  expect(await go(paths.creation)).toEqual([302, paths.clone]);
  expect(await go("/no/such/page")).toEqual([302, paths.notFound]);
});

test.describe("not found", () => {
  test.use({ allowedErrors: [/404/] });

  test("an unknown path shows a page with status 404 and a link home", async ({ page }) => {
    const answer = await page.goto("/no/such/page");
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(notFoundCopy.heading);
    await page.getByRole("link", { name: notFoundCopy.home, exact: true }).click();
    await expect(page).toHaveURL(/\/$/);
  });

  test("an error hydrates with the page, and with no lazy part after it", async ({ page }) => {
    const document = await page.goto(paths.person("nobody"));
    expect((await document?.text())?.split("</html>")[0]).not.toContain("<!--$");
    const { light, system, label } = siteCopy.colorMode;
    await page.getByRole("button", { name: label(system, light) }).click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
    await expect(page.getByRole("heading", { name: notFoundCopy.heading })).toBeVisible();
    await expect(page).toHaveTitle(new RegExp(notFoundCopy.title));
  });
});

test("the login page has the fullscreen layout", async ({ page }) => {
  await page.goto(paths.login);
  await expect(page.getByRole("navigation", { name: siteCopy.mainNav })).toHaveCount(0);
});

test("the colour mode is stored and applied without a flash", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(paths.home);
  const { light, dark, system, label } = siteCopy.colorMode;
  const savedAs = (mode: string) => page.waitForResponse((answer) => answer.request().postData() === `mode=${mode}`);
  const saved = Promise.all([savedAs("light"), savedAs("dark")]);
  await page.route(paths.colorMode, async (route) => {
    // The first request takes longer than the second.
    if (route.request().postData() === "mode=light") await page.waitForTimeout(1000);
    await route.continue();
  });
  await page.getByRole("button", { name: label(system, light) }).click();
  await page.getByRole("button", { name: label(light, dark) }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.getByRole("button", { name: label(dark, system) })).toBeVisible();
  await saved;
  const home = await page.request.get(paths.home);
  expect(await home.text()).toContain('data-theme="dark"');
});

test("a cross-site write is refused before page code runs", async ({ request }) => {
  for (const path of [bffPaths.trials, bffPaths.upload("recordingUpload"), "/?index"]) {
    const answer = await request.post(path, { headers: { origin: "https://evil.example" }, data: {} });
    expect(answer.status(), path).toBe(403);
  }
  expect((await request.post(`${paths.home}?_data=root`, { data: {} })).status()).toBe(400);
});
