import type { LoaderFunctionArgs } from "@remix-run/node";
import { joinNames } from "~/copy/format";
import { headingOf, sharedPageCopy as words } from "~/copy/share";
import { escapeHtml, plainDocument } from "~/features/layout/plain-document";
import { paths } from "~/paths";
import { throwShown } from "~server/bff/json-route.server";
import { readShared, type SharedWork } from "~server/bff/shares.server";

/** A shared work for the frames of other sites: it plays without scripts, reads no cookie and leads to its page. */
export async function loader({ params, context: { upstream, siteName, siteUrl } }: LoaderFunctionArgs) {
  const { work, status } = await readShared(upstream, params.id ?? "").catch(throwShown);
  const heading = work ? headingOf(work) : words[status === 410 ? "gone" : "missing"].heading;
  const body = work ? bodyOf(work, { heading, siteName, siteUrl }) : `<main><h1>${escapeHtml(heading)}</h1></main>`;
  return new Response(plainDocument({ title: `${heading} · ${siteName}`, style, body }), {
    status,
    headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": policy },
  });
}

const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "media-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors *",
].join("; ");

const style = `main{display:grid;gap:.5rem;padding:.75rem 1rem}
h1{font-size:1.125rem;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
p{margin:0;font-size:.8125rem;color:var(--muted)}
audio{width:100%;height:44px}
video{width:100%;max-height:70vh}
a{color:inherit;text-underline-offset:4px}`;

interface EmbedTexts {
  heading: string;
  siteName: string;
  siteUrl: string;
}

function bodyOf(work: SharedWork, { heading, siteName, siteUrl }: EmbedTexts): string {
  const names = joinNames(work.lines.map(({ name }) => name));
  const { shareId, filmFormat } = work;
  const player = filmFormat
    ? `<video controls playsinline preload="metadata" src="${paths.shareFile(shareId, `film.${filmFormat}`)}"></video>`
    : `<audio controls preload="metadata" src="${paths.shareFile(shareId, "sound.mp3")}"></audio>`;
  return `<main>
<h1>${escapeHtml(heading)}</h1>
${names && `<p>${escapeHtml(names)}</p>`}
${player}
<p>${filmFormat ? words.filmLabel : words.label}
<a href="${escapeHtml(siteUrl + paths.share(shareId))}" rel="noopener" target="_blank">${escapeHtml(words.openAt(siteName))}</a></p>
</main>`;
}
