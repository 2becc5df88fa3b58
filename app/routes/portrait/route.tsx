import type { LoaderFunctionArgs } from "@remix-run/node";
import { renderToStaticMarkup } from "react-dom/server";
import { parsePortrait } from "~/features/portrait/parameters";
import { Portrait } from "~/features/portrait/portrait";
import { dark, light } from "~/ui/palette";

/** A still portrait, so that pages full of faces need none of the drawing's code in the browser. */
export function loader({ request }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const portrait = parsePortrait(query.get("of"));
  if (!portrait) return new Response(null, { status: 404 });
  const { wash } = query.get("mode") === "dark" ? dark : light;
  const drawing = renderToStaticMarkup(<Portrait portrait={portrait} />)
    .replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ')
    // As wide as the cards that show it: the ground reaches beyond the drawing's own square.
    .replace('viewBox="0 0 200 200"', 'viewBox="-25 0 250 200"')
    .replaceAll('class="fill-wash"', `fill="${wash}"`);
  return new Response(drawing, {
    headers: { "content-type": "image/svg+xml", "cache-control": "public, max-age=31536000, immutable" },
  });
}
