import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { humanCardCopy } from "~/copy/site";
import { startProduct } from "../support/product";
import { expect, test } from "./fixtures";

test("on a new installation the people of the home page can be heard without a reload", async ({ page }) => {
  test.setTimeout(180_000);
  const dataDir = mkdtempSync(join(tmpdir(), "first-start-"));
  const product = await startProduct({ DATA_DIR: dataDir });
  try {
    await page.goto(product.url);
    await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
    const people = page.getByRole("article");
    await expect(people.getByRole("button", { name: humanCardCopy.noPreview }).first()).toBeDisabled();
    await expect(people.getByRole("button", { name: humanCardCopy.noPreview })).toHaveCount(0, { timeout: 120_000 });
    expect(await page.evaluate(() => "isSameDocument" in window)).toBe(true);
  } finally {
    await product.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
