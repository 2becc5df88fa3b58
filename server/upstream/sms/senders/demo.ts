import type { SmsSender } from "../sender";

/** Sends nothing: the page shows the code. Refuses to exist in production mode. */
export function createDemoSender(mode: "demo" | "production"): SmsSender {
  if (mode === "production") throw new Error("login codes are not shown in production mode");
  return { name: "demo", showsCodes: true, async send() {} };
}
