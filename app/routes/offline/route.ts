import { createHash } from "node:crypto";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { offlinePageCopy as words } from "~/copy/pages";
import { dark, light } from "~/ui/palette";

/** The service worker keeps this page; it needs no other file, and its link leads to the address that was asked for. */
export function loader({ context: { siteName } }: LoaderFunctionArgs) {
  return new Response(documentOf(siteName), {
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

const variablesOf = ({ paper, ink, muted, seal, "on-seal": onSeal }: typeof light) =>
  `--paper:${paper};--ink:${ink};--muted:${muted};--seal:${seal};--on-seal:${onSeal}`;

const style = `:root{color-scheme:light dark;${variablesOf(light)}}
@media (prefers-color-scheme:dark){:root{${variablesOf(dark)}}}
body{margin:0;min-height:100dvh;display:grid;place-items:center;background:var(--paper);color:var(--ink);font:1rem/1.625 "PingFang SC","HarmonyOS Sans SC",MiSans,"Noto Sans CJK SC","Microsoft YaHei",system-ui,sans-serif}
main{box-sizing:border-box;max-width:30em;padding:2rem 1.5rem;text-align:center}
h1{margin:0;font:600 1.9375rem/1.3 "Songti SC","Noto Serif CJK SC","Source Han Serif SC",serif}
p{margin:1rem 0 2rem;color:var(--muted);text-wrap:pretty}
a{display:inline-flex;align-items:center;min-height:52px;padding:0 2rem;border-radius:999px;background:var(--seal);color:var(--on-seal);font-weight:600;text-decoration:none}
a:focus-visible{outline:2px solid var(--seal);outline-offset:2px}`;

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

const documentOf = (siteName: string) => `<!DOCTYPE html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="${light.paper}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${dark.paper}">
<title>${escapeHtml(`${words.heading} · ${siteName}`)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${words.heading}</h1>
<p>${words.sentence}</p>
<a href="">${words.again}</a>
</main>
<script>${script}</script>
</body>
</html>
`;
