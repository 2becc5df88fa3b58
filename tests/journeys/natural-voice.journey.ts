import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright/test";
import { composerCopy } from "~/copy/clone";
import { exactVoiceCopy } from "~/copy/exact-voice";
import { trialCopy, trialResultCopy } from "~/copy/home";
import { recordingCopy } from "~/copy/recording";
import { verdictCopy, verifyCopy } from "~/copy/verify";
import { paths } from "~/paths";
import { openDatabase, placeOf } from "~server/upstream/db/database";
import type { Mirror } from "../support/model-mirror";
import { type Product, startProduct } from "../support/product";
import { hasSherpaAddon, linkSherpaAddon, startZipVoiceMirror } from "../support/sherpa/models";
import { findFaults } from "./axe";
import { expect } from "./fixtures";
import { withMicrophone } from "./microphone";

const test = withMicrophone("once");
test.skip(!hasSherpaAddon, "the engine's addon has no build for this machine");

const dataDir = mkdtempSync(join(tmpdir(), "natural-voice-"));
let mirror: Mirror;
let product: Product;

test.beforeAll(async () => {
  await cp(String(process.env.FIRST_START_DATA), dataDir, { recursive: true });
  const served = await startZipVoiceMirror(dataDir);
  mirror = served.mirror;
  mirror.plan("zipvoice/tokens.txt", ["cut", "broken"]);
  linkSherpaAddon(join(dataDir, "models"));
  // A name that the list lacks: nothing comes by itself.
  product = await startProduct({ ...served.settings, VOICES: "kokoro" });
});
test.afterAll(async () => {
  await product?.stop();
  await mirror?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const offer = (page: Page) => page.getByRole("region", { name: exactVoiceCopy.label });
const dialog = (page: Page) => page.getByRole("dialog", { name: exactVoiceCopy.dialog.title });

async function accept(page: Page, opener: RegExp | string) {
  await offer(page).getByRole("button", { name: opener }).click();
  await expect(dialog(page).getByText(/CC BY-NC 4\.0/)).toBeVisible();
  await expect(dialog(page).getByText(exactVoiceCopy.dialog.sales.unclear)).toBeVisible();
  expect(await findFaults(page)).toEqual([]);
  await dialog(page).getByRole("button", { name: exactVoiceCopy.dialog.accept }).click();
}

test("one press installs the voice that clones exactly; a clone is spoken by it, and its file is recognised", async ({
  page,
}) => {
  test.setTimeout(300_000);
  const release = mirror.hold("zipvoice/decoder.int8.onnx");
  await page.goto(product.url + paths.clone, { waitUntil: "networkidle" });
  await page.getByText(composerCopy.voice.sources.reference, { exact: true }).click();
  await accept(page, /184 MB/);
  await expect(offer(page).getByRole("progressbar")).toBeVisible();
  await offer(page).getByRole("button", { name: exactVoiceCopy.cancel }).click();
  await accept(page, /184 MB/);
  release();
  await expect(offer(page).getByText(exactVoiceCopy.speaking).first()).toBeVisible({ timeout: 120_000 });

  await page.goto(product.url, { waitUntil: "networkidle" });
  const card = page.getByRole("region", { name: trialCopy.label });
  await card.getByRole("button", { name: recordingCopy.start }).click();
  await expect(card.getByText(/^00:0[6-9]$/)).toBeVisible();
  await card.getByRole("button", { name: recordingCopy.stop }).click();
  await expect(card.getByRole("button", { name: recordingCopy.retake })).toBeVisible();
  await card.getByLabel(trialCopy.text.label).fill("你好，今天是3月5日，我们一起去公园散步，晚上再看一场电影吧。");
  await card.getByRole("button", { name: trialCopy.go }).click();
  const link = card.getByRole("link", { name: trialResultCopy.download("WAV") });
  await expect(link).toBeVisible({ timeout: 150_000 });
  const started = page.waitForEvent("download");
  await link.click();
  const buffer = readFileSync(await (await started).path());

  await page.goto(product.url + paths.verify, { waitUntil: "networkidle" });
  const file = { name: "speech.wav", mimeType: "audio/wav", buffer };
  await page.getByLabel(new RegExp(verifyCopy.pick)).setInputFiles(file);
  await expect(page.getByText(verdictCopy.signed.sentence)).toBeVisible();

  await product.stop();
  const { db, close } = await openDatabase(placeOf({ databaseUrl: undefined, dataDir }));
  const newest = db
    .selectFrom("rendition")
    .select("spoken_by")
    .where("owner", "is not", null)
    .orderBy("created_at", "desc");
  const spoken = await newest.executeTakeFirst().finally(close);
  expect(spoken?.spoken_by).toBe("sherpa@3:zipvoice:zipvoice");
});
