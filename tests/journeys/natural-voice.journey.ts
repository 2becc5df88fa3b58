import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { trialCopy, trialResultCopy } from "~/copy/home";
import { recordingCopy } from "~/copy/recording";
import { verdictCopy, verifyCopy } from "~/copy/verify";
import { paths } from "~/paths";
import { openDatabase, placeOf } from "~server/upstream/db/database";
import type { Mirror } from "../support/model-mirror";
import { type Product, startProduct } from "../support/product";
import { hasSherpaAddon, linkSherpaAddon, startZipVoiceMirror } from "../support/sherpa/models";
import { expect } from "./fixtures";
import { withMicrophone } from "./microphone";

const test = withMicrophone("once");
test.skip(!hasSherpaAddon, "the engine's addon has no build for this machine");

const dataDir = mkdtempSync(join(tmpdir(), "natural-voice-"));
let mirror: Mirror;
let product: Product;

test.beforeAll(async () => {
  const served = await startZipVoiceMirror(dataDir);
  mirror = served.mirror;
  mirror.plan("zipvoice/tokens.txt", ["cut", "broken"]);
  linkSherpaAddon(join(dataDir, "models"));
  const command = ["build/server/voices-main.js", "install", "zipvoice", "--accept"];
  const { stdout } = await promisify(execFile)(process.execPath, command, {
    env: { ...process.env, ...served.settings },
  });
  expect(stdout).toMatch(/it spoke; fastest here: .* a running product uses it/s);

  await cp(String(process.env.FIRST_START_DATA), dataDir, { recursive: true });
  product = await startProduct({ DATA_DIR: dataDir });
});
test.afterAll(async () => {
  await product?.stop();
  await mirror?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test("a clone is spoken by the voice that one command installed, and its file is recognised", async ({ page }) => {
  test.setTimeout(300_000);
  expect(product.output()).toMatch(/speech sherpa, embedded/);
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
