import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sentences } from "~/copy/recording";
import { type Product, startProduct } from "../support/product";
import { writeSpokenRecording } from "../support/spoken-recording";

const previewsMs = 300_000;

/** What all journeys begin with, made once: somebody's recording, and data as a product's first start leaves them. */
export default async function setup(): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "journeys-"));
  const [recording, data] = [join(folder, "reading.wav"), join(folder, "data")];
  await writeSpokenRecording(recording, sentences[0]);
  const product = await startProduct({ DATA_DIR: data });
  await waitForPreviews(product).finally(() => product.stop());
  process.env.SPOKEN_RECORDING = recording;
  process.env.FIRST_START_DATA = data;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Until every digital human has been spoken: whoever starts on these data has nothing to do of itself. */
async function waitForPreviews({ url, output }: Product) {
  const deadline = Date.now() + previewsMs;
  while (Date.now() < deadline) {
    const answer = await fetch(`${url}/api/v1/role/common/list?pageSize=100`, { headers: { appid: "shengxiang" } });
    const { data } = (await answer.json()) as { data: { list: Array<{ voiceUrl: string }> } };
    if (data.list.every(({ voiceUrl }) => voiceUrl !== "")) return;
    await sleep(200);
  }
  throw new Error(`The digital humans were not spoken:\n${output()}`);
}
