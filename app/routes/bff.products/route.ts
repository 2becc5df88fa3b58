import { jsonRoute } from "~server/bff/json-route.server";

/** GET: the products on sale, as `{products}`. */
export const loader = jsonRoute(async ({ context: { upstream } }) => ({
  products: await upstream.call("products", {}),
}));
