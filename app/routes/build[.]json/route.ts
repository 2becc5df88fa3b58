import type { LoaderFunctionArgs } from "@remix-run/node";

/** Which build this server serves; pages that were opened before ask now and then. */
export const loader = ({ context: { buildId } }: LoaderFunctionArgs) => Response.json({ buildId });
