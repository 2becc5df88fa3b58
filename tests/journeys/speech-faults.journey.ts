import { errorSentences } from "~/copy/errors";
import { trialCopy } from "~/copy/home";
import { referenceCopy, uploadCopy } from "~/copy/recording";
import { roleDetailCopy, roleFormCopy, roleListCopy } from "~/copy/roles";
import { paths } from "~/paths";
import { trialMax } from "~server/contract/limits";
import { logInByRequest } from "../support/browser-login";
import { type Product, startProduct } from "../support/product";
import { openAi } from "../support/speech-servers/protocols";
import { type SpeechServer, startSpeechServer } from "../support/speech-servers/server";
import { expectAccessible } from "./axe";
import { expect } from "./fixtures";
import { withMicrophone } from "./microphone";
import { stubVendors, toldDeeds } from "./vendors";

const test = withMicrophone("over and over");

/** A remote speech server that first refuses learns and synthesises the voices. */
let speech: SpeechServer;
let product: Product;
test.beforeAll(async () => {
  speech = await startSpeechServer(openAi);
  speech.behave("refuses");
  product = await startProduct({
    ANALYTICS_GTAG_ID: "G-TEST123456",
    SPEECH_ENGINES: "openai",
    OPENAI_SPEECH_URL: speech.url,
    OPENAI_SPEECH_MODEL: "test",
  });
});
test.afterAll(async () => {
  await product.stop();
  await speech.close();
});

test("a refusal of the speech server is reported and not charged, and a retry succeeds", async ({
  page,
  voiceFile,
}) => {
  await stubVendors(page);
  await page.addInitScript(() => localStorage.setItem("analytics-consent", "yes"));
  await page.goto(product.url, { waitUntil: "networkidle" });
  const card = page.getByRole("region", { name: trialCopy.label });
  await card.getByRole("radio", { name: trialCopy.voice.sources.upload }).check({ force: true });
  await card.getByLabel(new RegExp(uploadCopy.pick)).setInputFiles(voiceFile);
  await expect(card.getByRole("button", { name: referenceCopy.replace })).toBeVisible();
  await card.getByLabel(trialCopy.text.label).fill("今天天气不错。");
  await card.getByRole("button", { name: trialCopy.go }).click();
  await expect(card.getByText(errorSentences["synthesis-failed"])).toBeVisible();
  await expect(card.getByText(trialCopy.left(trialMax))).toBeVisible();
  await expect
    .poll(() => toldDeeds(page))
    .toContainEqual(["generation_failed", { where: "trial", why: "synthesis-failed" }]);

  await logInByRequest(page.request, product.url);
  await page.goto(product.url + paths.roleNew(), { waitUntil: "networkidle" });
  await page.getByRole("radio", { name: referenceCopy.sources.upload }).check({ force: true });
  await page.locator("input[type=file]").first().setInputFiles(voiceFile);
  await expect(page.getByRole("button", { name: referenceCopy.replace })).toBeVisible();
  await page.getByLabel(roleFormCopy.about.name, { exact: true }).fill("学不会");
  await page.getByRole("radio", { name: roleFormCopy.consent.ways.confirm }).check({ force: true });
  await page.getByRole("checkbox", { name: roleFormCopy.consent.confirm }).check();
  await page.getByRole("button", { name: roleFormCopy.go }).click();
  await expect(page.getByText(roleListCopy.states.failed)).toBeVisible({ timeout: 90_000 });
  await expectAccessible(page, "not learned");
  await expect.poll(() => toldDeeds(page)).toContainEqual(["role_created", {}]);
  await expect
    .poll(() => toldDeeds(page))
    .toContainEqual(["generation_failed", { where: "role", why: "synthesis-failed" }]);

  speech.behave("good");
  await page.getByRole("button", { name: roleDetailCopy.retry }).click();
  await expect(page.getByRole("button", { name: roleDetailCopy.listen })).toBeVisible({ timeout: 90_000 });
  await expect(page.getByText(roleListCopy.states.failed)).toBeHidden();
  await expect.poll(() => toldDeeds(page)).toContainEqual(["generated", { where: "role" }]);
});
