import type { LoaderFunctionArgs } from "@remix-run/node";
import { findIcons } from "~server/bff/frame.server";

/** Our own icon service: /icons/lucide.json?icons=headset,scroll-text, as Iconify's API answers. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const prefix = /^([a-z0-9-]+)\.json$/.exec(params.file ?? "")?.[1];
  const names = new URL(request.url).searchParams.get("icons")?.split(",") ?? [];
  const icons = prefix ? await findIcons(prefix, names) : null;
  if (!icons) return new Response(null, { status: 404 });
  return new Response(icons, {
    headers: { "content-type": "application/json", "cache-control": "public, max-age=31536000, immutable" },
  });
}
