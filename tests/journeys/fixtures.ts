import { test as base, expect } from "playwright/test";
import { waitForPreviews } from "../support/previews";
import { startTopology, type TopologyName } from "../support/topology";

interface WorkerOptions {
  topology: TopologyName;
  productUrl: string;
}

let people = 0;
/** Limits count by address, so each journey gets its own. */
const newAddress = () => `10.${process.pid % 256}.${Math.floor(people / 250)}.${(people++ % 250) + 1}`;

/**
 * Each worker runs its own product, each journey has its own address. A console error or an uncaught exception on any
 * page fails the journey, except those in `allowedErrors`.
 */
export const test = base.extend<{ allowedErrors: RegExp[]; cleanConsole: undefined }, WorkerOptions>({
  topology: ["one-process", { option: true, scope: "worker" }],
  productUrl: [
    async ({ topology }, use) => {
      const product = await startTopology(topology, { TRUSTED_PROXIES: "127.0.0.1 ::1" });
      // The background work of a first start would slow the first journeys down.
      if (product) await waitForPreviews(product.apiUrl);
      await use(product?.url ?? "");
      await product?.stop();
    },
    { scope: "worker", timeout: 480_000 },
  ],
  baseURL: async ({ productUrl }, use, info) => {
    info.skip(!productUrl, "this topology needs PostgreSQL on the machine");
    await use(productUrl);
  },
  extraHTTPHeaders: async ({ extraHTTPHeaders }, use) => use({ "x-forwarded-for": newAddress(), ...extraHTTPHeaders }),
  allowedErrors: [[], { option: true }],
  cleanConsole: [
    async ({ context, allowedErrors }, use) => {
      const seen: { text: string; where: string }[] = [];
      context.on("console", (message) => {
        if (message.type() === "error") seen.push({ text: message.text(), where: message.page()?.url() ?? "" });
      });
      context.on("weberror", (error) => {
        const { message, stack } = error.error();
        seen.push({ text: message, where: `${error.page()?.url()} ${stack}` });
      });
      await use(undefined);
      expect(seen.filter(({ text }) => !allowedErrors.some((allowed) => allowed.test(text)))).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
