import { answering } from "~server/bff/answering.server";

/** What can be bought, as `{products}`. */
export const loader = answering(async ({ context: { upstream } }) => ({
  products: await upstream.call("products", {}),
}));
