import { jsonRoute } from "~server/bff/json-route.server";

/** GET: how the voice that comes by itself gets on, as `{voice}`. Once it speaks, all pages say so. */
export const loader = jsonRoute(async ({ context: { upstream } }) => {
  const voice = await upstream.call("naturalVoice", {});
  if (voice.state === "speaking") await upstream.renewCapabilities();
  return { voice };
});

/** POST ends its coming; the same answer. */
export const action = jsonRoute({
  POST: async ({ context: { upstream } }) => ({ voice: await upstream.call("naturalVoiceCancel", {}) }),
});
