import { dark, light } from "~/ui/palette";

const variablesOf = ({ paper, ink, muted, seal, "on-seal": onSeal }: typeof light) =>
  `--paper:${paper};--ink:${ink};--muted:${muted};--seal:${seal};--on-seal:${onSeal}`;

const baseStyle = `:root{color-scheme:light dark;${variablesOf(light)}}
@media (prefers-color-scheme:dark){:root{${variablesOf(dark)}}}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.625 "PingFang SC","HarmonyOS Sans SC",MiSans,"Noto Sans CJK SC","Microsoft YaHei",system-ui,sans-serif}
h1{margin:0;font-family:"Songti SC","Noto Serif CJK SC","Source Han Serif SC",serif;font-weight:600;line-height:1.3}
a:focus-visible{outline:2px solid var(--seal);outline-offset:2px}`;

export const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

/** A page of one file, which search engines leave out. `title` is text; `style` and `body` are markup. */
export const plainDocument = ({
  title,
  style,
  body,
}: {
  title: string;
  style: string;
  body: string;
}) => `<!DOCTYPE html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="${light.paper}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${dark.paper}">
<title>${escapeHtml(title)}</title>
<style>${baseStyle}
${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
