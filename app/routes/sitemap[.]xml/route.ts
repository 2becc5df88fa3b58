import type { LoaderFunctionArgs } from "@remix-run/node";
import { paths } from "~/paths";

const { home, square, clone, dubbing, slides, role, privacy, service, subscribe, verify, developers } = paths;
const cacheSeconds = 3600;

const peopleMax = 100;

/** The public pages, with those of the people on the square. */
export async function loader({ context: { siteUrl, upstream } }: LoaderFunctionArgs) {
  // Without the upstream the other pages still stand.
  const people = await upstream.call("squareList", { pageSize: peopleMax }).catch(() => ({ list: [] }));
  const pages = [home, square, clone, dubbing, slides, role, subscribe, service, privacy, verify, developers];
  const urls = [...pages, ...people.list.map(({ roleId }) => paths.person(roleId))].map(
    (path) => `<url><loc>${siteUrl}${path}</loc></url>`,
  );
  const sitemap = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join("\n")}
</urlset>
`;
  return new Response(sitemap, {
    headers: { "content-type": "application/xml; charset=utf-8", "cache-control": `public, max-age=${cacheSeconds}` },
  });
}
