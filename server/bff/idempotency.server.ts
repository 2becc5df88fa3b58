/** The page's own name for one wish: sent again, after an answer that got lost, it starts nothing twice. */
export const idempotencyKeyOf = (headers: Headers) => /^[\w-]{8,100}$/.exec(headers.get("idempotency-key") ?? "")?.[0];
