import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { editorCopy } from "~/copy/dubbing";
import { importDialogCopy } from "~/copy/dubbing-dialogs";
import { dubbingRecordsCopy, dubGenerationCopy } from "~/copy/dubbing-records";
import { paths } from "~/paths";
import { logInByRequest } from "../support/browser-login";
import { type Product, startProduct } from "../support/product";
import { hasSherpaAddon, makeRecogniser } from "../support/sherpa/models";
import { expectAccessible } from "./axe";
import { expect } from "./fixtures";
import { withMicrophone } from "./microphone";

const test = withMicrophone("over and over");
test.skip(!hasSherpaAddon, "the recogniser's addon has no build for this machine");

const dataDir = mkdtempSync(join(tmpdir(), "sound-"));
let product: Product;
test.beforeAll(async () => {
  const models = join(dataDir, "models");
  mkdirSync(models);
  writeFileSync(join(makeRecogniser(models), "installed.json"), "{}");
  product = await startProduct({ DATA_DIR: dataDir });
});
test.afterAll(async () => {
  await product.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const firstCue = /^1\n(\d\d:\d\d:\d\d,\d{3}) --> \d\d:\d\d:\d\d,\d{3}\n[今天气真好。啊]+/;

test("a recording becomes lines with its times, and the dub of them subtitles", async ({ page, voiceFile }) => {
  await page.goto(product.url);
  await logInByRequest(page.request, product.url);
  await page.goto(product.url + paths.dubbing, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: editorCopy.import, exact: true }).click();
  const chosen = page.waitForEvent("filechooser");
  await page.getByRole("menuitem", { name: editorCopy.openSound }).click();
  await (await chosen).setFiles(voiceFile);

  const lines = page.getByRole("textbox", { name: /^第 \d+ 句台词/ });
  await expect(lines.first()).toHaveText(/^[今天气真好。啊]+$/);
  await expect(page.getByText(editorCopy.put(await lines.count()))).toBeVisible();
  await expectAccessible(page, "transcribed");

  await page.getByRole("button", { name: dubGenerationCopy.go }).click();
  const done = page.getByRole("button", { name: dubbingRecordsCopy.play("") }).first();
  await expect(done).toBeVisible({ timeout: 120_000 });
  await page.getByRole("button", { name: dubbingRecordsCopy.exportShort, exact: true }).click();
  const started = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: dubbingRecordsCopy.formats.srt }).click();
  const download = await started;
  expect(download.suggestedFilename()).toMatch(/\.srt$/);
  const srt = readFileSync(await download.path(), "utf8");
  expect(srt).toMatch(firstCue);
  expect(srt.match(/-->/g)).toHaveLength(await lines.count());

  // The exported file is read again as the same lines.
  await page.getByRole("button", { name: editorCopy.import, exact: true }).click();
  await page.getByRole("menuitem", { name: editorCopy.startOver }).click();
  const again = { name: "again.srt", mimeType: "application/x-subrip", buffer: Buffer.from(srt) };
  await page.getByLabel(editorCopy.openFile, { exact: true }).setInputFiles(again);
  const roles = page.getByRole("dialog", { name: importDialogCopy.mapTitle });
  await roles.getByRole("button", { name: importDialogCopy.put }).click();
  await expect(lines.first()).toHaveText(/^[今天气真好。啊]+$/);
});
