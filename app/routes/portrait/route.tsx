import type { LoaderFunctionArgs } from "@remix-run/node";
import { portraitSvg } from "~server/contract/portrait/drawing";
import { parsePortrait } from "~server/contract/portrait/parameters";
import { createRandom } from "~server/contract/portrait/pose";
import { randomPortrait } from "~server/contract/portrait/random-portrait";

/**
 * A drawn portrait as a picture: `of` holds its parameters; `for` names a person without any, who gets the same portrait
 * every time. Pages that animate a portrait read the same address.
 */
export function loader({ request }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const person = query.get("for");
  const portrait = person ? randomPortrait("unknown", createRandom(person)) : parsePortrait(query.get("of"));
  if (!portrait) return new Response(null, { status: 404 });
  const drawing = portraitSvg(portrait, {
    detail: query.get("detail") === "small" ? "small" : "large",
    mode: query.get("mode") === "dark" ? "dark" : "light",
    // As wide as the cards that show it: the ground reaches beyond the drawing's own square.
    viewBox: "-25 0 250 200",
  });
  return new Response(drawing, {
    headers: { "content-type": "image/svg+xml", "cache-control": "public, max-age=31536000, immutable" },
  });
}
