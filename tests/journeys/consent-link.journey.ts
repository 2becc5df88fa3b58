import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright/test";
import { bffPaths } from "~/call";
import {
  consentLinkStates,
  consentStateCopy,
  consentLinkCopy as owner,
  consentPageCopy as person,
  revocationCopy,
} from "~/copy/consent-link";
import { proofCopy } from "~/copy/proof";
import { paths } from "~/paths";
import { consentStatementId } from "~server/contract/consent";
import { writePrompt, writeReference } from "../support/prove";
import { expectAccessible } from "./axe";
import { expect, logIn, test } from "./people";

const folder = mkdtempSync(join(tmpdir(), "consent-link-"));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A role of a recording that is long enough to be compared, opened. */
async function openRole(page: Page, name: string) {
  const sound = await writeReference(join(folder, "sound"));
  await logIn(page);
  const headers = { origin: new URL(page.url()).origin };
  const file = { name: "reference.wav", mimeType: "audio/wav", buffer: readFileSync(sound) };
  const uploaded = await page.request.post(bffPaths.upload("recordingUpload"), { headers, multipart: { file } });
  const { voicePath } = await uploaded.json();
  const data = { name, voicePath, consent: { statementId: consentStatementId } };
  const role = await (await page.request.post(bffPaths.passed("roleCreate"), { headers, data })).json();
  await page.goto(paths.roleOpened(role.roleId), { waitUntil: "networkidle" });
  await expect(page.getByRole("button", { name: owner.open })).toBeVisible({ timeout: 90_000 });
}

async function createLink(page: Page): Promise<string> {
  await page.getByRole("button", { name: new RegExp(`${owner.open}|${owner.again}`) }).click();
  const dialog = page.getByRole("dialog", { name: owner.title });
  await dialog.getByRole("button", { name: owner.create }).click();
  await expect(dialog.getByText(owner.nameMissing)).toBeVisible();
  await dialog.getByLabel(owner.name).fill("阿月");
  await dialog.getByRole("button", { name: owner.create }).click();
  await expect(dialog.getByRole("img", { name: owner.qr })).toBeVisible();
  await expectAccessible(page, "link");
  const address = await dialog.getByRole("textbox", { name: owner.link }).inputValue();
  await page.keyboard.press("Escape");
  await expect(page.getByText(consentLinkStates.waiting)).toBeVisible();
  return address;
}

/** In a browser of the person's own, which has no account. */
async function openAsPerson(browser: Browser, address: string, javaScriptEnabled = true) {
  const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  await page.goto(address, javaScriptEnabled ? { waitUntil: "networkidle" } : {});
  await expect(page.getByRole("heading", { level: 1, name: person.asks("阿月").join("") })).toBeVisible();
  return page;
}

test("a person agrees by a link without an account, and withdraws by the same link", async ({ page, browser }) => {
  await openRole(page, "林老师");
  const address = await createLink(page);
  const phone = await openAsPerson(browser, address);
  await expectAccessible(phone, "question");
  await phone.getByRole("button", { name: person.agree }).click();
  const prompt = phone.getByRole("region", { name: proofCopy.prompt });
  await expect(prompt).toBeVisible();
  await expectAccessible(phone, "prompt");
  const spoken = join(folder, "spoken.wav");
  await writePrompt(phone, spoken);
  await phone.getByLabel(proofCopy.upload).setInputFiles(spoken);
  await expect(phone.getByRole("heading", { name: consentStateCopy.given.heading })).toBeVisible();
  await expectAccessible(phone, "given");
  await phone.evaluate(() => Reflect.deleteProperty(Navigator.prototype, "clipboard"));
  await phone.getByRole("button", { name: person.copy }).click();
  await expect(phone.getByRole("button", { name: person.copyFailed })).toBeVisible();
  await page.reload({ waitUntil: "networkidle" });
  await expect(page.getByText(consentLinkStates.given)).toBeVisible();

  await phone.getByText(person.withdraw.open, { exact: true }).click();
  await phone.getByRole("button", { name: person.withdraw.go }).click();
  await expect(phone.getByRole("link", { name: revocationCopy.download })).toBeVisible();
  await expectAccessible(phone, "withdrawn");
  await page.goto(paths.role, { waitUntil: "networkidle" });
  await expect(page.getByText("“林老师”的声音主人")).toBeVisible();
  await page.getByRole("button", { name: owner.dismiss }).click();
  await expect(page.getByText("“林老师”的声音主人")).toBeHidden();
  await phone.context().close();
});

test("a person without scripts reads the question, and declines", async ({ page, browser }) => {
  await openRole(page, "王老师");
  const phone = await openAsPerson(browser, await createLink(page), false);
  await expect(phone.getByText(person.facts.whatText)).toBeVisible();
  await expect(phone.locator("meta[name=referrer]")).toHaveAttribute("content", "same-origin");
  // Locators by text skip what a noscript element contains.
  expect(await phone.getByRole("main").innerText()).toContain(person.noScript);
  await expect(phone.getByRole("button", { name: person.agree })).toBeHidden();
  await phone.getByRole("button", { name: person.decline }).click();
  await expect(phone.getByRole("heading", { name: consentStateCopy.declined.heading })).toBeVisible();
  await page.reload({ waitUntil: "networkidle" });
  await expect(page.getByText(consentLinkStates.declined)).toBeVisible();
  await phone.goto(`${new URL(phone.url()).origin}${paths.consent("x".repeat(32))}`);
  await expect(phone.getByRole("heading", { name: person.missing.heading })).toBeVisible();
  await phone.context().close();
});
