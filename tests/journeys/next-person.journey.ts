import type { Page } from "playwright/test";
import { bffPaths } from "~/call";
import { accountCopy } from "~/copy/account";
import { composerCopy } from "~/copy/clone";
import { editorCopy } from "~/copy/dubbing";
import { projectCopy } from "~/copy/dubbing-tools";
import { trialCopy } from "~/copy/home";
import { referenceCopy } from "~/copy/recording";
import { roleFormCopy } from "~/copy/roles";
import { playerCopy, siteCopy } from "~/copy/site";
import { paths } from "~/paths";
import { logInByForm } from "../support/browser-login";
import { newPhone } from "../support/new-phone";
import { expect, test } from "./people";

// The browser logs the refused codes until a phone may have another one.
test.use({ allowedErrors: [/429/] });

const words = { trial: "甲的试用。", clone: "甲的克隆。", first: "甲的剧本。", second: "甲的续集。", role: "甲的角色" };

const menu = (page: Page) => page.getByRole("button", { name: new RegExp(`^${accountCopy.label}`) });
const script = (page: Page) => page.getByRole("textbox", { name: /^第 1 句台词/ });
const trialText = (page: Page) => page.getByLabel(trialCopy.text.label);
const cloneText = (page: Page) => page.getByLabel(composerCopy.text.label);
const roleName = (page: Page) => page.getByLabel(roleFormCopy.about.name, { exact: true });
const recording = (page: Page) => page.getByRole("button", { name: referenceCopy.replace });
const projects = (page: Page) => page.getByRole("list", { name: projectCopy.list }).getByRole("listitem");
const open = (page: Page, path: string) => page.goto(path, { waitUntil: "networkidle" });

async function logIn(page: Page, phone: string, next: string) {
  await open(page, paths.loginFrom(next));
  await logInByForm(page, phone);
  await expect(menu(page)).toBeVisible();
  await page.waitForLoadState("networkidle");
}

/** With the phone's second code, which it gets a minute after the first. */
async function logInAgain(page: Page, phone: string) {
  const headers = { origin: new URL(page.url()).origin };
  const post = (path: string, data: object) => page.request.post(path, { data, headers });
  let verifyCode = "";
  await expect
    .poll(
      async () => {
        const sent = await (await post(bffPaths.passed("captcha"), { phone })).json();
        verifyCode = sent.demoCode ?? "";
        return verifyCode;
      },
      { timeout: 90_000, intervals: [3000] },
    )
    .not.toBe("");
  await post(bffPaths.session, { phone, verifyCode });
}

async function logOut(page: Page) {
  await menu(page).click();
  await page.getByRole("button", { name: accountCopy.logOut }).click();
  await page.getByRole("button", { name: accountCopy.leaving.confirm }).click();
  await expect(page.locator(".Toastify__toast").filter({ hasText: accountCopy.loggedOut })).toBeVisible();
  await expect(page.getByRole("link", { name: siteCopy.login, exact: true })).toBeVisible();
}

async function writeScript(page: Page, text: string) {
  await script(page).fill(text);
  await expect(page.getByText(editorCopy.saved, { exact: true })).toBeVisible();
}

async function openProjects(page: Page) {
  await open(page, paths.dubbing);
  await page.getByRole("button", { name: editorCopy.projects }).click();
  await expect(page.getByRole("button", { name: projectCopy.create })).toBeEnabled();
}

async function uploadRecording(page: Page, voiceFile: string) {
  await page.getByRole("radio", { name: referenceCopy.sources.upload }).check({ force: true });
  await page.locator("input[type=file]").first().setInputFiles(voiceFile);
  await expect(recording(page)).toBeVisible();
}

/** No page shows a word or a recording of the first person. */
async function expectNothingOf(page: Page, pages: readonly string[]) {
  for (const path of pages) {
    await open(page, path);
    const shown = await page.evaluate(() =>
      [
        document.body.innerText,
        ...[...document.querySelectorAll("input, textarea")].map((one) => (one as HTMLInputElement).value),
      ].join("\n"),
    );
    expect(shown, path).not.toContain("甲的");
    await expect(recording(page), path).toHaveCount(0);
  }
  await openProjects(page);
  await expect(page.getByRole("dialog", { name: projectCopy.title }).getByText("甲的")).toHaveCount(0);
}

test("the next person in a browser finds nothing of the last one, who finds everything again", async ({
  page,
  context,
  voiceFile,
}) => {
  const phone = newPhone();
  await logIn(page, phone, paths.home);
  await trialText(page).fill(words.trial);
  await uploadRecording(page, voiceFile);
  await open(page, paths.clone);
  await cloneText(page).fill(words.clone);
  await open(page, paths.roleNew());
  await uploadRecording(page, voiceFile);
  await roleName(page).fill(words.role);
  await open(page, paths.dubbing);
  await writeScript(page, words.first);
  await openProjects(page);
  await page.getByRole("button", { name: projectCopy.create }).click();
  await expect(script(page)).toHaveValue("");
  await writeScript(page, words.second);
  const otherTab = await context.newPage();
  await open(otherTab, page.url());
  await expect(script(otherTab)).toHaveValue(words.second);
  await open(page, paths.square);
  await page.getByRole("article").first().getByRole("button").first().click();
  await expect(page.getByRole("region", { name: playerCopy.region })).toBeVisible();

  await logOut(page);
  await expect(page.getByRole("region", { name: playerCopy.region })).toHaveCount(0);
  await expect(script(otherTab)).toHaveValue("");
  const pages = [paths.home, paths.clone, paths.role, paths.dubbing];
  await expectNothingOf(page, pages);
  // The address still names the other person's project.
  await writeScript(otherTab, "乙登录前写的。");

  await logIn(page, newPhone(), paths.home);
  await expectNothingOf(page, [...pages, paths.roleNew()]);
  await expect(projects(page)).toHaveCount(1);
  await open(page, paths.dubbing);
  await expect(script(page)).toHaveValue("乙登录前写的。");
  await logOut(page);
  await expect(script(page)).toHaveValue("");
  await writeScript(page, "甲登录前写的。");

  await logInAgain(page, phone);
  await open(page, paths.home);
  await expect(trialText(page)).toHaveValue(words.trial);
  await expect(recording(page)).toBeVisible();
  await open(page, paths.clone);
  await expect(cloneText(page)).toHaveValue(words.clone);
  await open(page, paths.roleNew());
  await expect(roleName(page)).toHaveValue(words.role);
  await expect(recording(page)).toBeVisible();
  await openProjects(page);
  await expect(projects(page)).toHaveText([/甲登录前写的。/, new RegExp(words.second), new RegExp(words.first)]);
  await page.keyboard.press("Escape");
});
