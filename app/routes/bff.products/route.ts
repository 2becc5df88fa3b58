import { answering, createJsonAnswer } from "~server/bff/answering.server";
import type { CallData } from "~server/contract/calls/table";

const answer = createJsonAnswer((products: CallData<"products">) => ({ products }));

/** GET: the products on sale, as `{products}`. */
export const loader = answering(async ({ context: { upstream } }) => answer(await upstream.call("products", {})));
