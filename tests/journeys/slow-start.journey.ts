import type { Page } from "playwright/test";
import { accountCopy, loginCopy } from "~/copy/account";
import { trialCopy } from "~/copy/home";
import { loadFailureCopy, siteCopy } from "~/copy/site";
import { verifyCopy } from "~/copy/verify";
import { paths } from "~/paths";
import { logInByRequest } from "../support/browser-login";
import { expect, test } from "./fixtures";

const card = (page: Page) => page.getByRole("region", { name: trialCopy.label });

/** Opens the page and holds back the files of this name until released. */
async function holdScripts(page: Page, name: RegExp) {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(name, async (route) => {
    await held;
    await route.continue();
  });
  return letGo;
}

const allScripts = /\/assets\/.*\.js$/;
const open = (page: Page, path: string) => page.goto(path, { waitUntil: "commit" });

test("a colour mode pressed before the scripts load is applied by them", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  const letGo = await holdScripts(page, allScripts);
  await open(page, paths.service);
  const { light, dark, system, label } = siteCopy.colorMode;
  await page.getByRole("button", { name: label(system, light) }).click();
  letGo();
  // Repeated once, and not again with a later lazy part.
  await expect(page.getByRole("button", { name: label(light, dark) })).toBeVisible();
  await page.waitForLoadState("networkidle");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
});

test("the account menu pressed before its panel's script loads opens once with it", async ({ page, productUrl }) => {
  await logInByRequest(page.request, productUrl);
  const letGo = await holdScripts(page, /\/assets\/account-panel-/);
  await open(page, paths.service);
  const menu = page.getByRole("button", { name: new RegExp(`^${accountCopy.label}`) });
  await menu.click();
  letGo();
  await expect(page.getByRole("button", { name: accountCopy.logOut })).toBeVisible();
  await menu.click();
  await expect(page.getByRole("button", { name: accountCopy.logOut })).toHaveCount(0);
});

test("changing the colour mode and the page while scripts load keeps the account menu", async ({
  page,
  productUrl,
}) => {
  await logInByRequest(page.request, productUrl);
  const letGo = await holdScripts(page, /\/assets\/account-(menu|panel)-/);
  await page.goto(paths.service, { waitUntil: "load" });
  const menu = page.getByRole("button", { name: new RegExp(`^${accountCopy.label}`) });
  await menu.evaluate((button) => Object.assign(window, { menuOfServer: button }));
  const { light, dark, system, label } = siteCopy.colorMode;
  await page.getByRole("button", { name: label(system, light) }).click();
  await expect(page.getByRole("button", { name: label(light, dark) })).toBeVisible();
  await page.locator(`header nav a[href="${paths.home}"]`).click();
  await expect(card(page)).toBeVisible();
  letGo();
  await menu.click();
  await expect(page.getByRole("button", { name: accountCopy.logOut })).toBeVisible();
  // React has hydrated it: it did not give up and render another one.
  const isSame = (button: Element) => button === (window as unknown as { menuOfServer: Element }).menuOfServer;
  expect(await menu.evaluate(isSame)).toBe(true);
});

test("only the last of several early presses is repeated, unless another button was pressed since", async ({
  page,
  productUrl,
}) => {
  await logInByRequest(page.request, productUrl);
  const letGo = await holdScripts(page, allScripts);
  await open(page, paths.service);
  const menu = page.getByRole("button", { name: new RegExp(`^${accountCopy.label}`) });
  const { light, system, label } = siteCopy.colorMode;
  await menu.click();
  await page.getByRole("button", { name: label(system, light) }).click();
  await page.getByRole("heading", { level: 1 }).click();
  letGo();
  await page.waitForLoadState("networkidle");
  await expect(page.getByRole("button", { name: label(system, light) })).toBeVisible();
  await expect(page.getByRole("button", { name: accountCopy.logOut })).toHaveCount(0);
});

test("a press is kept while the page's data is decoded", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.addInitScript(() => {
    const released = new Promise((resolve) => addEventListener("release", resolve));
    window.TextEncoderStream = class extends TransformStream {
      constructor() {
        const transform = (text: string, stream: TransformStreamDefaultController) =>
          released.then(() => stream.enqueue(new TextEncoder().encode(text)));
        super({ transform });
      }
    } as unknown as typeof TextEncoderStream;
  });
  await page.goto(paths.service, { waitUntil: "networkidle" });
  const { light, dark, system, label } = siteCopy.colorMode;
  await page.getByRole("button", { name: label(system, light) }).click();
  await page.evaluate(() => dispatchEvent(new Event("release")));
  await expect(page.getByRole("button", { name: label(light, dark) })).toBeVisible();
});

test("early text, choice and press on the home page are kept", async ({ page }) => {
  const letGo = await holdScripts(page, allScripts);
  await open(page, paths.home);
  await card(page).getByLabel(trialCopy.text.label).fill("来得太早的一句话。");
  await card(page).getByRole("radio", { name: trialCopy.voice.sources.sample }).check({ force: true });
  await card(page).getByRole("button", { name: trialCopy.go }).click();
  letGo();
  await expect(card(page).getByText(trialCopy.left(2))).toBeVisible();
  await expect(card(page).getByRole("radio", { name: trialCopy.voice.sources.sample })).toBeChecked();
  await expect(card(page).getByLabel(trialCopy.text.label)).toHaveValue("来得太早的一句话。");
  await expect(card(page).getByText(trialCopy.text.count(9))).toBeVisible();
  await page.reload();
  await expect(card(page).getByLabel(trialCopy.text.label)).toHaveValue("来得太早的一句话。");
});

test("a press on the trial's button waits for the trial's code", async ({ page }) => {
  const letGo = await holdScripts(page, /\/assets\/run-trial-/);
  await page.goto(paths.home, { waitUntil: "networkidle" });
  await card(page).getByRole("radio", { name: trialCopy.voice.sources.sample }).check({ force: true });
  await card(page).getByLabel(trialCopy.text.label).fill("按下之后才到的代码。");
  await card(page).getByRole("button", { name: trialCopy.go }).click();
  await expect(card(page).getByRole("button", { name: trialCopy.working })).toHaveAttribute("aria-disabled", "true");
  await card(page).getByLabel(trialCopy.text.label).fill("之后写的一句话。");
  letGo();
  await expect(card(page).getByText(trialCopy.left(2))).toBeVisible();
  await expect(card(page).getByText("按下之后才到的代码。").first()).toBeVisible();
  await expect(card(page).getByLabel(trialCopy.text.label)).toHaveValue("之后写的一句话。");
});

test.describe("a trial whose code does not load", () => {
  test.use({ allowedErrors: [/.*/] });

  test("says so, keeps what was entered and starts with the next press", async ({ page }) => {
    const code = /\/assets\/run-trial-/;
    await page.route(code, (route) => route.abort());
    await page.goto(paths.home, { waitUntil: "networkidle" });
    await card(page).getByRole("radio", { name: trialCopy.voice.sources.sample }).check({ force: true });
    await card(page).getByLabel(trialCopy.text.label).fill("先断后连的一句话。");
    await card(page).getByRole("button", { name: trialCopy.go }).click();
    await expect(page.getByText(loadFailureCopy.sentence)).toBeVisible();
    await page.unroute(code);
    await card(page).getByRole("button", { name: trialCopy.go }).click();
    await expect(card(page).getByText(trialCopy.left(2))).toBeVisible();
  });
});

test("a file chosen before the scripts load is checked", async ({ page }) => {
  const letGo = await holdScripts(page, allScripts);
  await open(page, paths.verify);
  const words = Buffer.from("这不是音频。".repeat(200));
  await page
    .getByLabel(new RegExp(verifyCopy.pick))
    .setInputFiles({ name: "文章.wav", mimeType: "audio/wav", buffer: words });
  letGo();
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
});
// Remix prints an AbortError where a page's data is no longer wanted.
test.use({ allowedErrors: [/422|AbortError|signal is aborted/] });

test("an open dialog keeps its focus while the page's watchers load", async ({ page }) => {
  const letGo = await holdScripts(page, /\/assets\/site-status-/);
  const asked = page.waitForRequest(/\/assets\/site-status-/);
  await page.goto(paths.home, { waitUntil: "load" });
  await page.getByRole("link", { name: siteCopy.login, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: loginCopy.title });
  const code = dialog.getByLabel(loginCopy.code, { exact: true });
  await dialog.getByLabel(loginCopy.phone, { exact: true }).fill("13700137000");
  await code.focus();
  await asked;
  await page.keyboard.type("12");
  letGo();
  await page.waitForLoadState("networkidle");
  await page.keyboard.type("34");
  await expect(code).toHaveValue("1234");
  await expect(code).toBeFocused();
});

test("going on while a page's data arrives opens the other page", async ({ page }) => {
  // Its body never arrives.
  await page.addInitScript((slow) => {
    const { fetch } = window;
    window.fetch = async (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input, location.href);
      if (pathname !== `${slow}.data`) return fetch(input, init);
      document.body.dataset.asked = "true";
      const { readable, writable } = new TransformStream();
      init?.signal?.addEventListener("abort", () => writable.abort(init.signal?.reason));
      return new Response(readable, { headers: { "content-type": "text/x-script" } });
    };
  }, paths.square);
  await page.goto(paths.service, { waitUntil: "networkidle" });
  await page.locator(`header nav a[href="${paths.square}"]`).click();
  await expect(page.locator("body[data-asked]")).toBeVisible();
  await page.locator(`header nav a[href="${paths.home}"]`).click();
  await expect(card(page)).toBeVisible();
});

test("no page with drafts and an account restarts its hydration on a very slow machine", async ({
  page,
  productUrl,
}) => {
  await logInByRequest(page.request, productUrl);
  await page.goto(paths.home);
  await card(page).getByLabel(trialCopy.text.label).fill("慢一点也没关系。");
  await card(page).getByRole("radio", { name: trialCopy.voice.sources.upload }).check({ force: true });
  const machine = await page.context().newCDPSession(page);
  await machine.send("Emulation.setCPUThrottlingRate", { rate: 10 });
  const { home, clone, square, dubbing, subscribe, verify, role, service } = paths;
  for (const path of [home, clone, square, dubbing, subscribe, verify, role, service, paths.person("shen-yan")]) {
    const document = await page.goto(path, { waitUntil: "networkidle" });
    // React gives up hydrating a lazy part (its error 421) that is updated before its file is there: there is none.
    expect((await document?.text())?.split("</html>")[0]).not.toContain("<!--$");
  }
});
