import { createHash } from "node:crypto";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { offlinePageCopy as words } from "~/copy/pages";
import { plainDocument } from "~/features/layout/plain-document";

/** The service worker keeps this page; it needs no other file, and its link leads to the address that was asked for. */
export function loader({ context: { siteName } }: LoaderFunctionArgs) {
  return new Response(plainDocument({ title: `${words.heading} · ${siteName}`, style, body }), {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "public, max-age=0, must-revalidate",
      "content-security-policy": policy,
    },
  });
}

const script = 'addEventListener("online", () => location.reload());';
const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  `script-src 'sha256-${createHash("sha256").update(script).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const style = `body{min-height:100dvh;display:grid;place-items:center}
main{box-sizing:border-box;max-width:30em;padding:2rem 1.5rem;text-align:center}
h1{font-size:1.9375rem}
p{margin:1rem 0 2rem;color:var(--muted);text-wrap:pretty}
a{display:inline-flex;align-items:center;min-height:52px;padding:0 2rem;border-radius:999px;background:var(--seal);color:var(--on-seal);font-weight:600;text-decoration:none}`;

const body = `<main>
<h1>${words.heading}</h1>
<p>${words.sentence}</p>
<a href="">${words.again}</a>
</main>
<script>${script}</script>`;
