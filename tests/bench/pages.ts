import { startProduct } from "../support/product";
import { startBarePage } from "./bare-page";
import { benchSecret, measurePageRates } from "./page-rates";
import type { Row } from "./row";

/** Measures the rates of pages and the size of their HTML, next to a bare Remix page. */
export async function benchPages(): Promise<Row[]> {
  const bare = await startBarePage();
  const product = await startProduct({ SESSION_SECRET: benchSecret });
  try {
    return await measurePageRates(bare, product);
  } finally {
    await product.stop();
    await bare.stop();
  }
}
