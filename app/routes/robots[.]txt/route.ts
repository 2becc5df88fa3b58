import type { LoaderFunctionArgs } from "@remix-run/node";
import { paths } from "~/paths";

const keptSeconds = 3600;

/** What search engines need not read. */
export function loader({ context: { siteUrl } }: LoaderFunctionArgs) {
  // Of the login page, what it looks like on the way to somewhere else.
  const lines = [
    "User-agent: *",
    "Disallow: /bff/",
    `Disallow: ${paths.login}?`,
    "Disallow: /cashier/",
    "Allow: /",
    "",
  ];
  return new Response([...lines, `Sitemap: ${siteUrl}${paths.sitemap}`, ""].join("\n"), {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": `public, max-age=${keptSeconds}` },
  });
}
