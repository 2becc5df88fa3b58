/**
 * Loads addresses for the process that forked it, so that the sender's time is not the measured server's. A message
 * `{url, headers, ms, isDistinct}` is answered by `{answers, seconds}`; `isDistinct` gives every request its own query.
 */
import { Agent, request } from "undici";

const connections = 8;
const dispatcher = new Agent({ connections, pipelining: 1, keepAliveTimeout: 60_000 });
let visit = 0;

async function load({ url, headers, ms, isDistinct }) {
  const endsAt = performance.now() + ms;
  let answers = 0;
  const one = async () => {
    while (performance.now() < endsAt) {
      const target = isDistinct ? `${url}?visit=${visit++}` : url;
      const { statusCode, body } = await request(target, { headers, dispatcher });
      await body.dump({ limit: Number.POSITIVE_INFINITY });
      if (statusCode !== 200) throw new Error(`${target} answered ${statusCode}`);
      answers += 1;
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: connections }, one));
  return { answers, seconds: (performance.now() - startedAt) / 1000 };
}

process.on("message", async (message) => {
  process.send(await load(message).catch((error) => ({ error: String(error) })));
});
