import type { LoaderFunctionArgs } from "@remix-run/node";
import { homeDescription } from "~/copy/site";
import { paths } from "~/paths";
import { light } from "~/ui/palette";

const cacheSeconds = 3600;
const icons = [
  { src: "/favicon.svg", sizes: "any", type: "image/svg+xml" },
  { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
  { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
  { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
];

/** Web app manifest: name and icons on a phone's home screen, with the operator's site name. */
export function loader({ context: { siteName } }: LoaderFunctionArgs) {
  const manifest = {
    name: siteName,
    short_name: siteName,
    description: homeDescription,
    lang: "zh-CN",
    start_url: paths.home,
    id: paths.home,
    display: "standalone",
    background_color: light.paper,
    theme_color: light.paper,
    icons,
  };
  return Response.json(manifest, {
    headers: { "content-type": "application/manifest+json", "cache-control": `public, max-age=${cacheSeconds}` },
  });
}
