import type { LoaderFunctionArgs } from "@remix-run/node";
import { portraitSvg } from "~server/portrait/drawing";
import { parsePortrait } from "~server/portrait/parameters";
import { createRandom } from "~server/portrait/pose";
import { randomPortrait } from "~server/portrait/random-portrait";

/**
 * A drawn portrait as a picture: `of` holds its parameters; `for` names a person without any, who gets the same portrait
 * every time. Pages that animate a portrait read the same address.
 */
export async function loader({ request }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const person = query.get("for");
  const portrait = person ? randomPortrait("unknown", createRandom(person)) : parsePortrait(query.get("of"));
  if (!portrait) return new Response(null, { status: 404 });
  const detail = query.get("detail") ?? "";
  const draw = (viewBox: string) =>
    portraitSvg(portrait, {
      detail: detail && detail !== "card" ? "small" : "large",
      mode: query.get("mode") === "dark" ? "dark" : "light",
      viewBox,
    });
  const headers = { "cache-control": "public, max-age=31536000, immutable" };
  if (detail === "face" || detail === "card") {
    const { type, bytes } = await toPixels(draw("0 0 200 200"), detail);
    return new Response(bytes, { headers: { ...headers, "content-type": type } });
  }
  // Matches the width of the cards: the background reaches beyond the drawing's square.
  return new Response(draw("-25 0 250 200"), { headers: { ...headers, "content-type": "image/svg+xml" } });
}

/** Faces are for squares of 48 px on screens of three pixels per point; messengers show cards, and know no WebP. */
const sidePixels = { face: 144, card: 600 };

/**
 * Browsers redraw an SVG picture with every paint of the page: 97 ms for the 40 lines around the screen at a quarter
 * of a laptop's speed. Pixels are decoded once, outside of the page's main thread.
 */
async function toPixels(drawing: string, detail: keyof typeof sidePixels) {
  // Loaded with the first face: libvips takes 25 MB that an idle server does not need.
  const { default: sharp } = await import("sharp");
  const picture = sharp(Buffer.from(drawing)).resize(sidePixels[detail]);
  const isCard = detail === "card";
  const encoded = isCard ? picture.png({ palette: true }) : picture.webp({ quality: 90 });
  return { type: isCard ? "image/png" : "image/webp", bytes: new Uint8Array(await encoded.toBuffer()) };
}
