import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Page } from "playwright/test";
import { bffPaths } from "~/call";
import { consentPageCopy, consentStateCopy } from "~/copy/consent-link";
import { proofCopy, proofStateCopy } from "~/copy/proof";
import { microphoneSentence, readingSentences, recordingCopy } from "~/copy/recording";
import { roleDetailCopy, roleFormCopy } from "~/copy/roles";
import { paths } from "~/paths";
import { consentStatementId, proofStatement } from "~server/contract/consent";
import { recordingMaxSeconds } from "~server/contract/limits";
import { proveByFile, silenceAfterSeconds, writePrompt, writeReference } from "../support/prove";
import { otherDelivery, writeSpokenRecording } from "../support/spoken-recording";
import { expectAccessible } from "./axe";
import { spokenRecording, withMicrophone } from "./microphone";
import { expect, logIn } from "./people";

/** Input of the microphone, written anew before each recording. */
const heard = join(dirname(spokenRecording), "heard.wav");
const test = withMicrophone("once");
test.use({ voiceFile: heard });

/** Creates a role of a voice that is not proven, and opens it once it is learned. Returns its id. */
async function openNewRole(page: Page, baseURL: string | undefined) {
  await logIn(page);
  const headers = { origin: new URL(baseURL ?? "").origin };
  const buffer = await readFile(await writeReference(spokenRecording));
  const file = { name: "reading.wav", mimeType: "audio/wav", buffer };
  const sent = await page.request.post(bffPaths.upload("recordingUpload"), { headers, multipart: { file } });
  const { voicePath } = await sent.json();
  const consent = { statementId: consentStatementId };
  const created = await page.request.post(bffPaths.passed("roleCreate"), {
    headers,
    data: { name: "阿月", voicePath, consent },
  });
  const { roleId } = await created.json();
  await page.goto(paths.roleOpened(roleId), { waitUntil: "networkidle" });
  await expect(page.getByRole("button", { name: roleDetailCopy.listen })).toBeVisible();
  return String(roleId);
}

async function recordFor(page: Page, seconds: number) {
  await page.getByRole("button", { name: proofCopy.start }).click();
  await expect(page.getByText(recordingCopy.remaining(recordingMaxSeconds - seconds))).toBeVisible();
  await page.getByRole("button", { name: proofCopy.stop }).click();
}

test("one reading in the form is voice, consent and proof", async ({ page }) => {
  await logIn(page);
  await page.goto(paths.roleNew(), { waitUntil: "networkidle" });
  const sentence = page.getByText(proofStatement.text);
  await expect(page.getByText(roleFormCopy.consent.byReading)).toBeVisible();
  await expectAccessible(page, "one reading");
  const seconds = await writeSpokenRecording(heard, await sentence.innerText(), otherDelivery, silenceAfterSeconds);
  await page.getByRole("button", { name: recordingCopy.start }).click();
  await expect(page.getByText(recordingCopy.remaining(recordingMaxSeconds - Math.round(seconds)))).toBeVisible();
  await page.getByRole("button", { name: recordingCopy.stop }).click();
  await expect(page.getByText(roleFormCopy.consent.inReading)).toBeVisible();
  await page.getByLabel(roleFormCopy.about.name, { exact: true }).fill("一遍");
  await page.getByRole("button", { name: roleFormCopy.go, exact: true }).click();
  await expect(page.getByText(proofStateCopy.badge.proven)).toBeVisible();
  await page.getByRole("button", { name: roleDetailCopy.publish }).click();
  await page.getByRole("button", { name: roleDetailCopy.publishing.confirm, exact: true }).click();
  await expect(page.getByRole("button", { name: roleDetailCopy.withdraw })).toBeVisible();
});

test("other words are refused, and the prompt read aloud publishes the role", async ({ page, baseURL }) => {
  await openNewRole(page, baseURL);
  await expect(page.getByRole("heading", { name: proofStateCopy.heading.missing })).toHaveCount(0);
  await page.getByRole("button", { name: roleDetailCopy.publish }).click();
  await expect(page.getByRole("button", { name: proofCopy.start })).toBeVisible();
  await expect(page.getByText(proofCopy.toPublishFirst)).toBeVisible();
  await expectAccessible(page, "prompt");

  await writeSpokenRecording(heard, readingSentences.slice(2).join(""));
  await recordFor(page, 14);
  const another = page.getByRole("button", { name: proofCopy.another });
  await expect(another).toBeVisible();
  await expect(page.getByText(proofCopy.triesLeft(1))).toBeVisible();
  await expect(page.getByText(proofCopy.passed)).toHaveCount(0);
  await expectAccessible(page, "refused");

  await another.press("Enter");
  await recordFor(page, Math.round(await writePrompt(page, heard)));
  await expect(page.getByText(proofCopy.passed)).toBeVisible();
  await expectAccessible(page, "passed");
  await page.getByRole("button", { name: proofCopy.toPublish }).click();
  await page.getByRole("button", { name: roleDetailCopy.publishing.confirm, exact: true }).click();
  await expect(page.getByRole("button", { name: roleDetailCopy.withdraw })).toBeVisible();
  await expect(page.getByText(proofStateCopy.badge.proven)).toBeVisible();
});

test("a verdict that comes after the page was closed is shown when it is opened again", async ({ page, baseURL }) => {
  const roleId = await openNewRole(page, baseURL);
  await page.getByRole("button", { name: roleDetailCopy.publish }).click();
  await writePrompt(page, heard);
  await page.getByRole("dialog").getByLabel(proofCopy.upload).setInputFiles(heard);
  await expect(page.getByRole("dialog").getByText(proofCopy.judgingHint)).toBeVisible();
  await page.waitForResponse((response) => response.url().endsWith(bffPaths.passed("proofResult")));
  await page.goto(paths.roleOpened(roleId), { waitUntil: "networkidle" });
  await expect(page.getByText(proofStateCopy.badge.proven)).toBeVisible();
  await expect(page.getByRole("heading", { name: proofStateCopy.heading.judging })).toHaveCount(0);
});

test("a person with a link reads the prompt into the microphone of a phone", async ({ page, browser, baseURL }) => {
  const roleId = await openNewRole(page, baseURL);
  const headers = { origin: new URL(baseURL ?? "").origin };
  const made = await page.request.post(bffPaths.consentLinks, { headers, data: { roleId, askerName: "阿月" } });
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const phone = await context.newPage();
  await phone.goto((await made.json()).link.address, { waitUntil: "networkidle" });
  await phone.getByRole("button", { name: consentPageCopy.agree }).click();
  const seconds = Math.round(await writePrompt(phone, heard));
  await expectAccessible(phone, "prompt");
  await recordFor(phone, seconds);
  await expect(phone.getByText(proofCopy.judgingHint)).toBeVisible();
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await expect(phone.getByRole("heading", { name: consentStateCopy.given.heading })).toBeVisible();
  await context.close();
});

test("without a microphone at 360 px, the prompt read into a file proves the voice", async ({ page, baseURL }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("none", "NotFoundError"));
  });
  await openNewRole(page, baseURL);
  await page.getByRole("button", { name: roleDetailCopy.publish }).click();
  await page.getByRole("button", { name: proofCopy.start }).press("Enter");
  await expect(page.getByText(microphoneSentence("missing", ""))).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await expectAccessible(page, "no microphone");
  await proveByFile(page, spokenRecording);
  await page.getByRole("button", { name: proofCopy.toPublish }).click();
  await page.getByRole("button", { name: roleDetailCopy.publishing.confirm, exact: true }).click();
  await expect(page.getByText(proofStateCopy.badge.proven)).toBeVisible();
});
