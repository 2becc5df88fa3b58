import type { LoaderFunctionArgs } from "@remix-run/node";

/** GET: the build that this server serves; open pages poll it to notice a new one. */
export const loader = ({ context: { buildId } }: LoaderFunctionArgs) => Response.json({ buildId });
