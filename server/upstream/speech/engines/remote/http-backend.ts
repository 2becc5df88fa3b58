import type { Backend, RemoteSpeech } from "./remote-engine";
import { readSamples } from "./samples";
import { type Ask, answers, post, type Reply } from "./wire";

/** One kind of server over HTTP, as the protocol of its own makes it. */
export interface HttpServer extends Omit<Backend, "say" | "probe"> {
  ask(speech: RemoteSpeech, signal: AbortSignal): Ask | Promise<Ask>;
  /** Of raw samples. */
  rateOf(reply: Reply): number;
  health: { url: string; headers?: Record<string, string> };
}

/** Asks a server and reads its reply as it streams in. */
export function overHttp({ ask, rateOf, health, ...server }: HttpServer): Backend {
  return {
    ...server,
    async *say(speech, signal) {
      const reply = await post(await ask(speech, signal), signal);
      yield* readSamples(reply, rateOf(reply));
    },
    probe: () => answers(health.url, health.headers),
  };
}
