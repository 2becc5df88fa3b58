import type { LoaderFunctionArgs } from "@remix-run/node";
import { paths } from "~/paths";

const cacheSeconds = 3600;

/** Pages that search engines should not crawl. */
export function loader({ context: { siteUrl } }: LoaderFunctionArgs) {
  // The login page may be crawled, but not its variants with a query.
  const lines = [
    "User-agent: *",
    "Disallow: /bff/",
    `Disallow: ${paths.login}?`,
    "Disallow: /cashier/",
    "Allow: /",
    "",
  ];
  return new Response([...lines, `Sitemap: ${siteUrl}${paths.sitemap}`, ""].join("\n"), {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": `public, max-age=${cacheSeconds}` },
  });
}
