import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitForPreviews } from "../support/previews";
import { startProduct } from "../support/product";

/** The data folder of a product after its first start, with the previews of all digital humans. */
export async function createFirstData(): Promise<{ directory: string; remove(): void }> {
  const directory = mkdtempSync(join(tmpdir(), "bench-data-"));
  const product = await startProduct({ DATA_DIR: directory });
  await waitForPreviews(product.url).finally(() => product.stop());
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
