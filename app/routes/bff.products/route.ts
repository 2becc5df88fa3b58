import { answering } from "~server/bff/answering.server";

/** GET: the products on sale, as `{products}`. */
export const loader = answering(async ({ context: { upstream } }) => ({
  products: await upstream.call("products", {}),
}));
