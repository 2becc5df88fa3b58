import { test as base, expect } from "playwright/test";
import { waitForPreviews } from "../support/previews";
import { startTopology, type TopologyName } from "../support/topology";

interface WorkerOptions {
  topology: TopologyName;
  productUrl: string;
}

let people = 0;
/** Limits count by address, and a journey is somebody else's. */
const newAddress = () => `10.${process.pid % 256}.${Math.floor(people / 250)}.${(people++ % 250) + 1}`;

/**
 * Each worker runs its own product, each journey comes from an address of its own. A console error or an uncaught exception on any page fails the journey; what a
 * journey provokes on purpose it names in `allowedErrors`.
 */
export const test = base.extend<{ allowedErrors: RegExp[]; cleanConsole: undefined }, WorkerOptions>({
  topology: ["one-process", { option: true, scope: "worker" }],
  productUrl: [
    async ({ topology }, use) => {
      const product = await startTopology(topology, { TRUSTED_PROXIES: "127.0.0.1 ::1" });
      // What a first start does of itself would take from the machine what the first journeys need.
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
      const seen: string[] = [];
      context.on("console", (message) => message.type() === "error" && seen.push(message.text()));
      context.on("weberror", (error) => seen.push(error.error().message));
      await use(undefined);
      expect(seen.filter((text) => !allowedErrors.some((allowed) => allowed.test(text)))).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
