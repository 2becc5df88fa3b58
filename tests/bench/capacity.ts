import { Agent, request } from "undici";
import { createSessions } from "~server/bff/session.server";
import { startProduct } from "../support/product";
import { uploadSound } from "./long-sound";
import { processorMs, tickMs } from "./processor";
import type { Row } from "./row";

const secret = "a-session-secret-for-the-benchmark-only";
const warmUpCalls = 1000;
const calls = 4000;
const sounds = 80;
const concurrency = 4;
interface Load {
  url: string;
  headers: Record<string, string>;
  times: number;
}

async function ask({ url, headers, times }: Load, dispatcher: Agent): Promise<number> {
  let left = times;
  let bytes = 0;
  const one = async () => {
    while (left-- > 0) {
      const answer = await request(url, { headers, dispatcher });
      if (answer.statusCode >= 400 || answer.statusCode === 204)
        throw new Error(`${url} answered ${answer.statusCode}`);
      for await (const piece of answer.body) bytes += piece.length;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, one));
  return bytes;
}

/** Measures how much one core of a web and of an api handles per second, by the processor time of each. Linux only. */
export async function benchCapacity(): Promise<Row[]> {
  const api = await startProduct({ ROLE: "api" });
  const web = await startProduct({ ROLE: "web", API_BASE_URL: api.url, SESSION_SECRET: secret });
  const dispatcher = new Agent({ connections: concurrency });
  const cost = async (load: Load) => {
    const before = [processorMs(web), processorMs(api)] as const;
    const bytes = await ask(load, dispatcher);
    return { webMs: processorMs(web) - before[0], apiMs: processorMs(api) - before[1], bytes };
  };
  try {
    const session = await createSessions({ secrets: [secret] }).open(null, true);
    const headers = { cookie: (await session.setCookie())?.split(";")[0] ?? "" };
    const own = { appid: "shengxiang", token: "", "x-visitor-id": session.values.visitorId };
    const sound = await uploadSound(api, { headers: own, dispatcher });
    const kinds: Array<[string, string]> = [
      ["pages (home, with its voices)", `${web.url}/`],
      ["BFF calls (the square's voices)", `${web.url}/bff/voices/square`],
    ];
    const rows: Row[] = [];
    for (const [name, url] of kinds) {
      await ask({ url, headers, times: warmUpCalls }, dispatcher);
      const { webMs, apiMs } = await cost({ url, headers, times: calls });
      rows.push(
        { name: `${name}, by one core of the web`, value: (calls * 1000) / webMs, unit: "1/s" },
        { name: `${name}, by one core of the api`, value: (calls * 1000) / Math.max(tickMs, apiMs), unit: "1/s" },
      );
    }
    const media = { url: `${web.url}/bff/media?url=${encodeURIComponent(sound)}`, headers };
    await ask({ ...media, times: 4 }, dispatcher);
    const { webMs, apiMs, bytes } = await cost({ ...media, times: sounds });
    const megabytes = bytes / 2 ** 20;
    return [
      ...rows,
      { name: "bytes of sound, by one core of the web", value: (megabytes * 1000) / webMs, unit: "MB/s" },
      { name: "bytes of sound, by one core of the api", value: (megabytes * 1000) / apiMs, unit: "MB/s" },
    ];
  } finally {
    await dispatcher.close();
    await web.stop();
    await api.stop();
  }
}
