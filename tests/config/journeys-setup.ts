import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readingSentences } from "~/copy/recording";
import { waitForPreviews } from "../support/previews";
import { startProduct } from "../support/product";
import { writeSpokenRecording } from "../support/spoken-recording";

/** Creates what all journeys share: a recording of a person, and the data of a product after its first start. */
export default async function setup(): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "journeys-"));
  const [recording, data] = [join(folder, "reading.wav"), join(folder, "data")];
  const [product] = await Promise.all([
    startProduct({ DATA_DIR: data }),
    writeSpokenRecording(recording, readingSentences[0]),
  ]);
  await waitForPreviews(product.url)
    .catch((error) => {
      throw new Error(`${error.message}\n${product.output()}`);
    })
    .finally(() => product.stop());
  process.env.SPOKEN_RECORDING = recording;
  process.env.FIRST_START_DATA = data;
  return () => rmSync(folder, { recursive: true, force: true });
}
