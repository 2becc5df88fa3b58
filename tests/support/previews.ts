import { setTimeout as sleep } from "node:timers/promises";

const previewsMs = 300_000;

/** Waits until every digital human's preview is synthesised: a new product is then idle. */
export async function waitForPreviews(apiUrl: string): Promise<void> {
  const deadline = Date.now() + previewsMs;
  while (Date.now() < deadline) {
    const answer = await fetch(`${apiUrl}/api/v1/role/common/list?pageSize=100`, { headers: { appid: "shengxiang" } });
    const { data } = (await answer.json()) as { data: { list: Array<{ voiceUrl: string }> } };
    if (data.list.every(({ voiceUrl }) => voiceUrl !== "")) return;
    await sleep(200);
  }
  throw new Error("The digital humans were not spoken.");
}
