import { setTimeout as sleep } from "node:timers/promises";

const previewsMs = 300_000;

/** Until every digital human has been spoken: from then on a new product has nothing to do of itself. */
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
