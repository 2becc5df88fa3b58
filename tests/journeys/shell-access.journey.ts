import type { Page } from "playwright/test";
import { accountCopy, loginCopy } from "~/copy/account";
import { removalCopy } from "~/copy/account-settings";
import { checkoutCopy } from "~/copy/checkout";
import { composerCopy } from "~/copy/clone";
import { editorCopy, sceneOfferCopy } from "~/copy/dubbing";
import { importDialogCopy } from "~/copy/dubbing-dialogs";
import { findCopy, projectCopy } from "~/copy/dubbing-tools";
import { toneCopy } from "~/copy/generation";
import { trialCopy } from "~/copy/home";
import { referenceCopy } from "~/copy/recording";
import { roleFormCopy } from "~/copy/roles";
import { serviceCopy, siteCopy } from "~/copy/site";
import { reportCopy, squareCopy, voicePickerCopy } from "~/copy/square";
import { planCopy, subscribePageCopy } from "~/copy/subscribe";
import { paths } from "~/paths";
import { logInByRequest } from "../support/browser-login";
import { buyTier } from "../support/journey-member";
import { newPhone } from "../support/new-phone";
import { findFaults } from "./axe";
import { expect, test } from "./fixtures";

const phone = { width: 360, height: 740 };
const desktop = { width: 1280, height: 800 };

interface Place {
  path: string;
  /** Opens the screen's dialog or state. */
  open?(page: Page): Promise<void>;
  /** Skips widths without this screen. */
  onlyDesktop?: boolean;
}

const menu = (page: Page) => page.getByRole("button", { name: new RegExp(`^${accountCopy.label}`) });

/** Every screen and dialog; a new one is a row. */
const visitors: Record<string, Place> = {
  home: { path: paths.home },
  role: { path: paths.role },
  clone: { path: paths.clone },
  square: { path: paths.square },
  dubbing: { path: paths.dubbing },
  slides: { path: paths.slides },
  terms: { path: paths.service },
  privacy: { path: paths.privacy },
  login: { path: paths.login },
  subscribe: { path: paths.subscribe },
  verify: { path: paths.verify },
  person: {
    path: paths.square,
    async open(page) {
      const link = page.locator(`a[href^="${paths.person("")}"]`).first();
      await page.goto((await link.getAttribute("href")) ?? "", { waitUntil: "networkidle" });
    },
  },
  "not found": { path: paths.notFound },
  "login dialog": {
    path: paths.home,
    async open(page) {
      await page.getByRole("link", { name: siteCopy.login, exact: true }).click();
      await expect(page.getByRole("dialog", { name: loginCopy.title })).toBeVisible();
    },
  },
};

const openTone = (page: Page) =>
  page
    .getByRole("button", { name: new RegExp(`${editorCopy.delivery("")}$`) })
    .first()
    .click();

/** Unfolds the detailed controls of a tone, which are open already where the draft has weights. */
async function openFineTone(page: Page) {
  const fine = page.getByText(toneCopy.fine, { exact: true });
  const inside = page.getByText(toneCopy.genres[2], { exact: true }).first();
  await expect(fine).toBeVisible();
  if (!(await inside.isVisible())) await fine.click();
  await expect(inside).toBeVisible();
}

const members = {
  "new digital human": {
    path: paths.roleNew(),
    async open(page) {
      await expect(page.getByRole("heading", { name: roleFormCopy.heading })).toBeVisible();
    },
  },
  "clone's tone": {
    path: paths.clone,
    async open(page) {
      await page.getByRole("button", { name: toneCopy.change }).click();
      await openFineTone(page);
    },
  },
  "voice picker": {
    path: paths.clone,
    async open(page) {
      await page.getByRole("button", { name: composerCopy.voice.pick }).click();
      await expect(page.getByRole("list", { name: voicePickerCopy.results })).toBeVisible();
    },
  },
  "line's tone": {
    path: paths.dubbing,
    async open(page) {
      await openTone(page);
      await expect(page.getByRole("button", { name: toneCopy.moods.happy, exact: true })).toBeVisible();
    },
  },
  projects: {
    path: paths.dubbing,
    async open(page) {
      await page.getByRole("button", { name: editorCopy.projects }).click();
      await expect(page.getByRole("dialog", { name: projectCopy.title })).toBeVisible();
    },
  },
  "search of a script": {
    path: paths.dubbing,
    async open(page) {
      await page.getByRole("button", { name: sceneOfferCopy.scenes.market }).click();
      await page.getByRole("textbox", { name: /^第 5 句台词/ }).focus();
      await page.keyboard.press("Control+F");
      await expect(page.getByRole("textbox", { name: findCopy.find })).toBeFocused();
    },
  },
  "pasted script": {
    path: paths.dubbing,
    async open(page) {
      await page.getByRole("button", { name: editorCopy.import, exact: true }).click();
      await page.getByRole("menuitem", { name: editorCopy.paste }).click();
      await expect(page.getByRole("dialog", { name: importDialogCopy.pasteTitle })).toBeVisible();
    },
  },
  "report of a digital human": {
    path: paths.square,
    async open(page) {
      await page
        .getByRole("button", { name: new RegExp(`^${squareCopy.menu("")}`) })
        .first()
        .click();
      await page.getByRole("menuitem", { name: reportCopy.go }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  "account deletion": {
    path: paths.service,
    async open(page) {
      await menu(page).click();
      await page.getByRole("button", { name: accountCopy.remove }).click();
      await expect(page.getByRole("dialog", { name: removalCopy.removing.title })).toBeVisible();
    },
  },
  role: { path: paths.role },
  clone: { path: paths.clone },
  dubbing: { path: paths.dubbing },
  subscribe: { path: paths.subscribe },
  works: { path: paths.works },
  "account menu": {
    path: paths.service,
    async open(page) {
      await menu(page).click();
      await expect(page.getByRole("button", { name: accountCopy.logOut })).toBeVisible();
    },
  },
  question: {
    path: paths.service,
    async open(page) {
      await menu(page).click();
      await page.getByRole("button", { name: accountCopy.logOut }).click();
      await expect(page.getByRole("alertdialog", { name: accountCopy.leaving.title })).toBeVisible();
    },
  },
  "contact panel": {
    path: paths.service,
    onlyDesktop: true,
    async open(page) {
      await page.getByRole("button", { name: serviceCopy.open }).click();
      await expect(page.getByRole("dialog", { name: serviceCopy.title })).toBeVisible();
    },
  },
  // Last, because a pending order reopens its dialog on the next page.
  "pay dialog": {
    path: paths.subscribe,
    async open(page) {
      await page.getByRole("button", { name: new RegExp(`${subscribePageCopy.buy[2]}|${planCopy.renew[2]}`) }).click();
      await expect(page.getByRole("dialog", { name: checkoutCopy.title })).toBeVisible();
      await expect(page.getByRole("radio", { name: /月度/ })).toBeChecked();
    },
  },
} satisfies Record<string, Place>;

async function visit(page: Page, { path, open }: Place) {
  await page.goto(path, { waitUntil: "networkidle" });
  await open?.(page);
}

/** Returns buttons of the page whose middle another element covers; notices, which close by themselves, do not count. */
const coveredButtons = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("main button")]
      .filter((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const hit = document.elementFromPoint(x + width / 2, y + height / 2);
        return width > 0 && hit && !element.contains(hit) && !hit.closest(".Toastify");
      })
      .map((element) => element.outerHTML.slice(0, 160)),
  );

const sidewaysPx = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Returns animations that are visible under reduced motion. */
const moving = (page: Page) =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter((one) => one.playState === "running" && Number(one.effect?.getComputedTiming().duration) > 10)
      // A notice's time runs in a bar that is not shown.
      .filter(({ effect }) => (effect as KeyframeEffect).target?.checkVisibility({ opacityProperty: true }))
      .map((one) => (one as CSSAnimation).animationName ?? "transition"),
  );

/** Returns buttons and standalone links below the minimum touch size. */
const smallTargets = (page: Page) =>
  page.evaluate(() => {
    const leastPx = 43.5;
    return [...document.querySelectorAll<HTMLElement>("button, a[href], summary, select, [role=button], [role=tab]")]
      .filter((element) => {
        // A covering button is pressed anywhere on the box around it.
        const target = element.classList.contains("covers") ? (element.offsetParent ?? element) : element;
        const { width, height } = target.getBoundingClientRect();
        if (width <= 1 || height <= 1 || !element.checkVisibility({ visibilityProperty: true })) return false;
        if (element.tagName === "A" && getComputedStyle(element).display === "inline") return false;
        return height < leastPx || (element.tagName !== "A" && width < leastPx);
      })
      .map((element) => element.outerHTML.slice(0, 160));
  });

for (const [who, places] of Object.entries({ visitor: visitors, member: members })) {
  for (const width of [360, 1280]) {
    test(`on a ${who}'s screens, ${width} px wide, axe finds nothing, buttons have touch size, and nothing moves or scrolls sideways`, async ({
      page,
      productUrl,
    }) => {
      await page.setViewportSize({ width, height: 800 });
      if (who === "member") await logInByRequest(page.request, productUrl);
      for (const [name, place] of Object.entries<Place>(places)) {
        if (place.onlyDesktop && width < 1280) continue;
        await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
        await visit(page, place);
        expect.soft(await sidewaysPx(page), name).toBe(0);
        expect.soft(await moving(page), name).toEqual([]);
        if (width === 360) expect.soft(await smallTargets(page), name).toEqual([]);
        expect.soft(await findFaults(page), name).toEqual([]);
      }
    });
  }
}
// The not-found page has status 404, which the browser logs.
test.use({ allowedErrors: [/404/] });

test("pages at 200 % and 400 % zoom do not scroll sideways", async ({ page }) => {
  for (const [name, place] of Object.entries(visitors)) {
    await page.setViewportSize({ width: 640, height: 400 });
    await visit(page, place);
    expect.soft(await sidewaysPx(page), `${name}, 640 px`).toBe(0);
    await page.setViewportSize({ width: 320, height: 400 });
    expect.soft(await sidewaysPx(page), `${name}, 320 px`).toBe(0);
  }
});

/** Returns text that overflows the screen or its button, heading or cell. */
const clippedTexts = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("h1, h2, h3, p, button, a, label, th, td, li")]
      .filter((element) => {
        const { width, height } = element.getBoundingClientRect();
        if (width <= 1 || height <= 1 || !element.checkVisibility({ visibilityProperty: true })) return false;
        const text = document.createRange();
        text.selectNodeContents(element);
        const { left, right } = text.getBoundingClientRect();
        if (element.closest("[class*=overflow-x-auto]")) return false;
        const isCut = getComputedStyle(element).overflowX === "hidden" && element.scrollWidth > element.clientWidth + 1;
        const isAbove = element.getBoundingClientRect().top + window.scrollY < -1;
        return isCut || isAbove || right > window.innerWidth + 1 || left < -1;
      })
      .map((element) => element.outerHTML.slice(0, 160)),
  );

for (const [who, places] of Object.entries({ visitor: visitors, member: members })) {
  test(`a ${who}'s screen with text at 200 % clips no text and scrolls no page sideways`, async ({
    page,
    context,
    productUrl,
  }) => {
    const fontSizes = { standard: 32, fixed: 26 };
    await (await context.newCDPSession(page)).send("Page.setFontSizes", { fontSizes });
    if (who === "member") await logInByRequest(page.request, productUrl);
    for (const [name, place] of Object.entries<Place>(places)) {
      if (place.onlyDesktop) continue;
      await page.setViewportSize(phone);
      await visit(page, place);
      for (const size of [phone, desktop]) {
        await page.setViewportSize(size);
        expect.soft(await sidewaysPx(page), `${name}, ${size.width} px`).toBe(0);
        expect.soft(await clippedTexts(page), `${name}, ${size.width} px`).toEqual([]);
      }
    }
  });
}

test("no tool of the dubbing page covers another at any width", async ({ page }) => {
  await page.goto(paths.dubbing, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: sceneOfferCopy.scenes.market }).click();
  await expect(page.getByRole("button", { name: editorCopy.grip(5), exact: true })).toBeVisible();
  for (const width of [768, 820, 1024, 1119, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect.soft(await coveredButtons(page), `${width} px`).toEqual([]);
  }
});

test("the handle of a line does not cover the button of its role with text at 200 %", async ({ page, context }) => {
  await (await context.newCDPSession(page)).send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
  await page.goto(paths.dubbing, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: sceneOfferCopy.scenes.market }).click();
  await expect(page.getByRole("button", { name: editorCopy.grip(5), exact: true })).toBeVisible();
  const handle = page.getByRole("button", { name: editorCopy.grip(1), exact: true });
  const role = page.getByRole("button", { name: editorCopy.role("") }).first();
  for (const size of [phone, desktop]) {
    await page.setViewportSize(size);
    const [above, below] = await Promise.all([role.boundingBox(), handle.boundingBox()]);
    expect.soft(below?.y, `${size.width} px`).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
  }
});

test("no item of a menu is under the tab bar with text at 200 %", async ({ page, context }) => {
  await (await context.newCDPSession(page)).send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
  await page.goto(paths.dubbing, { waitUntil: "networkidle" });
  for (const size of [phone, desktop]) {
    await page.setViewportSize(size);
    await page.getByRole("button", { name: editorCopy.export, exact: true }).click();
    const last = page.getByRole("menuitem").last();
    await last.scrollIntoViewIfNeeded();
    const isCovered = await last.evaluate((item) => {
      const { left, bottom } = item.getBoundingClientRect();
      return !item.contains(document.elementFromPoint(left + 8, bottom - 8));
    });
    expect.soft(isCovered, `${size.width} px`).toBe(false);
    await page.keyboard.press("Escape");
  }
});

test("the trial's button is on a phone's first screen, and covers no field that it reports missing", async ({
  page,
}) => {
  await page.setViewportSize(phone);
  await page.goto(paths.home);
  const go = page.getByRole("button", { name: trialCopy.go });
  await expect(go).toBeInViewport({ ratio: 1 });
  await go.click();
  const fault = page.getByRole("alert").filter({ hasText: referenceCopy.missing.record });
  const isCovered = () =>
    fault.evaluate((element) => {
      const { left, bottom } = element.getBoundingClientRect();
      return !element.contains(document.elementFromPoint(left + 2, bottom - 2));
    });
  await expect.poll(isCovered).toBe(false);
});

test("a professional member's sliders are 160 px wide and the buttons beside them have touch size", async ({
  page,
}) => {
  await buyTier(page, newPhone(), "svip");
  for (const size of [phone, { width: 820, height: 1180 }, desktop]) {
    await page.setViewportSize(size);
    const isPhone = size.width < 768;
    const look = async (what: string) => {
      await openFineTone(page);
      await page.getByText(toneCopy.genres[2], { exact: true }).click();
      await expect(page.getByRole("slider")).toHaveCount(11);
      const widths = await page.getByRole("slider").evaluateAll((all) => all.map((one) => one.clientWidth));
      expect.soft(Math.min(...widths), `${what}, ${size.width} px`).toBeGreaterThanOrEqual(160);
      if (isPhone) expect.soft(await smallTargets(page), what).toEqual([]);
    };
    await visit(page, members.clone);
    await page.getByRole("button", { name: toneCopy.change }).click();
    await look("clone");
    await visit(page, members.dubbing);
    await openTone(page);
    await look("dubbing's dialog");
  }
});
