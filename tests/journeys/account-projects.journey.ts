import type { Browser, Page } from "playwright/test";
import { bffPaths } from "~/call";
import { composerCopy } from "~/copy/clone";
import { editorCopy } from "~/copy/dubbing";
import { projectCopy } from "~/copy/dubbing-tools";
import { voicePickerCopy } from "~/copy/square";
import { paths } from "~/paths";
import { expectAccessible } from "./axe";
import { expect, test } from "./fixtures";
import { logIn } from "./people";

const field = (page: Page, line = 1) => page.getByRole("textbox", { name: new RegExp(`^第 ${line} 句台词`) });
const title = (page: Page) => page.getByRole("textbox", { name: editorCopy.title });
const dialog = (page: Page) => page.getByRole("dialog", { name: projectCopy.title });
const rows = (page: Page) => dialog(page).getByRole("list", { name: projectCopy.list }).getByRole("listitem");

/** Until the account has what `act` writes. */
async function saveInAccount(page: Page, act: () => Promise<void>) {
  const isSaved = page.waitForResponse(
    async (response) => response.url().endsWith("/projectPut") && (await response.json()).isSaved,
  );
  await act();
  await isSaved;
}

async function openPage(page: Page) {
  await page.goto(paths.dubbing, { waitUntil: "networkidle" });
  await expect(field(page)).toBeVisible();
}

async function openList(page: Page) {
  await page.getByRole("button", { name: editorCopy.projects }).click();
  await expect(rows(page).first()).toBeVisible();
}

/** The same account in a browser of its own, as on a phone. */
async function createPhone(browser: Browser, desktop: Page) {
  const { cookies } = await desktop.context().storageState();
  const baseURL = new URL(desktop.url()).origin;
  const context = await browser.newContext({
    ...{ baseURL, storageState: { cookies, origins: [] } },
    viewport: { width: 360, height: 740 },
  });
  return context.newPage();
}

test("a project begun on a desktop is finished on a phone, and neither overwrites the other", async ({
  browser,
  page: desktop,
}) => {
  await logIn(desktop);
  await openPage(desktop);
  await saveInAccount(desktop, () => field(desktop).fill("天亮了。"));

  const phone = await createPhone(browser, desktop);
  await openPage(phone);
  await expect(field(phone)).toHaveValue("天亮了。");
  await saveInAccount(phone, () => field(phone).fill("天黑了。"));
  await saveInAccount(desktop, () => title(desktop).fill("清晨"));
  await expect(field(desktop)).toHaveValue("天黑了。");

  // Both write the same line, the phone without a connection.
  await phone.context().setOffline(true);
  await field(phone).fill("手机上写的。");
  await expect(phone.getByText(projectCopy.offline)).toBeVisible();
  await saveInAccount(desktop, () => field(desktop).fill("电脑上写的。"));
  await saveInAccount(phone, () => phone.context().setOffline(false));
  await expect(phone.getByText(projectCopy.changedTwice("清晨", 1))).toBeVisible();
  await expect(field(phone, 1)).toHaveValue("电脑上写的。");
  await expect(field(phone, 2)).toHaveValue("手机上写的。");
  await expect(title(phone)).toHaveValue("清晨");
  await expect(phone.getByText(projectCopy.offline)).toBeHidden();
  await phone.context().close();
});

test("projects are listed, deleted and restored on every device of the account", async ({ browser, page: desktop }) => {
  await logIn(desktop);
  await openPage(desktop);
  await saveInAccount(desktop, () => field(desktop).fill("第一份。"));
  await openList(desktop);
  await dialog(desktop).getByRole("button", { name: projectCopy.create }).click();
  await expect(field(desktop)).toHaveValue("");
  await saveInAccount(desktop, () => field(desktop).fill("第二份。"));

  const phone = await createPhone(browser, desktop);
  await openPage(phone);
  await expect(field(phone)).toHaveValue("第二份。");
  await openList(phone);
  await expect(rows(phone)).toHaveCount(2);
  await dialog(phone)
    .getByRole("button", { name: projectCopy.rename("第一份。") })
    .click();
  await dialog(phone).getByRole("textbox", { name: projectCopy.name }).fill("早市");
  await saveInAccount(phone, () => phone.keyboard.press("Enter"));
  const isDeleted = phone.waitForResponse((response) => response.url().endsWith("/projectDelete"));
  await dialog(phone)
    .getByRole("button", { name: projectCopy.remove("早市") })
    .click();
  await isDeleted;

  await openList(desktop);
  const deleted = dialog(desktop).getByRole("list", { name: projectCopy.deleted });
  await dialog(desktop).getByText(projectCopy.deleted, { exact: true }).click();
  await expect(rows(desktop)).toHaveCount(1);
  await expect(deleted).toContainText(projectCopy.removed("早市"));
  await deleted.getByRole("button", { name: projectCopy.restore }).click();
  await expect(rows(desktop)).toHaveCount(2);
  await dialog(desktop)
    .getByRole("button", { name: projectCopy.open("早市") })
    .click();
  await expect(field(desktop)).toHaveValue("第一份。");
  await phone.context().close();
});

test("a voice that was starred or used stands first in the pickers of every device", async ({
  browser,
  page: desktop,
}) => {
  await logIn(desktop);
  await desktop.goto(paths.clone, { waitUntil: "networkidle" });
  const openPicker = async (page: Page) => {
    await page
      .getByRole("button", { name: new RegExp(`${composerCopy.voice.pick}|${composerCopy.voice.change}`) })
      .click();
    return page.getByRole("dialog", { name: voicePickerCopy.title });
  };
  const picker = await openPicker(desktop);
  await picker.getByRole("tab", { name: voicePickerCopy.tabs.kept }).click();
  await expect(picker.getByText(voicePickerCopy.nothingKept)).toBeVisible();
  await picker.getByRole("tab", { name: voicePickerCopy.tabs.square }).click();
  await picker.getByRole("button", { name: voicePickerCopy.star("周老师") }).click();
  const isSaved = desktop.waitForResponse((response) => response.url().endsWith("/projectPut"));
  await picker.getByRole("button", { name: voicePickerCopy.choose("沈砚") }).click();
  await isSaved;
  // The account has no such role: the picker opens where the chosen voice is, with that voice on top.
  await openPicker(desktop);
  await expect(picker.getByRole("tab", { name: voicePickerCopy.tabs.square })).toHaveAttribute("aria-selected", "true");
  const first = picker.getByRole("list", { name: voicePickerCopy.results }).getByRole("listitem").first();
  const chosen = first.getByRole("button", { name: voicePickerCopy.choose("沈砚") });
  await expect(chosen).toHaveAttribute("aria-pressed", "true");

  const phone = await createPhone(browser, desktop);
  await phone.goto(paths.clone, { waitUntil: "networkidle" });
  const other = await openPicker(phone);
  await other.getByRole("tab", { name: voicePickerCopy.tabs.kept }).click();
  const section = (name: keyof typeof voicePickerCopy.sections) =>
    other.getByRole("region", { name: voicePickerCopy.sections[name] });
  await expect(section("starred").getByRole("listitem")).toContainText(["周老师"]);
  await expect(section("recent").getByRole("listitem")).toContainText(["沈砚"]);
  await expectAccessible(phone, "the kept voices");
  await section("starred")
    .getByRole("button", { name: voicePickerCopy.unstar("周老师") })
    .click();
  await expect(section("starred")).toBeHidden();
  await phone.keyboard.press("Escape");
  await phone.route(`${new URL(phone.url()).origin}${bffPaths.keptVoices([])}*`, (route) =>
    route.fulfill({ json: { voices: [], total: 0, page: 1 } }),
  );
  await openPicker(phone);
  await other.getByRole("tab", { name: voicePickerCopy.tabs.kept }).click();
  await expect(other.getByText(voicePickerCopy.nothingKept)).toBeVisible();
  await phone.context().close();
});
