import { useEffect, useState } from "react";
import { posterCopy as words } from "~/copy/share";
import { siteCopy } from "~/copy/site";
import { buttonClass } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { Fault, Skeleton } from "~/ui/feedback";
import { light } from "~/ui/palette";

/** What stands on the poster of a public page. */
export interface Poster {
  title: string;
  text: string;
  /** Address of the portrait at this site; null leaves it out. */
  picture: string | null;
  siteName: string;
  qr: { size: number; path: string };
}

const frame = "aspect-[3/4] w-full max-w-[270px] rounded-card";

/** Draws the poster and offers it as a picture: a long press or the button saves it. `lazy` requires a default export. */
export default function PosterDialog({ poster, onClose }: { poster: Poster; onClose(): void }) {
  const [address, setAddress] = useState<string | null>();
  const key = JSON.stringify(poster);
  useEffect(() => {
    let isGone = false;
    const show = (drawn: string | null) => isGone || setAddress(drawn);
    drawPoster(JSON.parse(key)).then(show, () => show(null));
    return () => {
      isGone = true;
    };
  }, [key]);
  return (
    <Dialog closeLabel={words.close} description={words.sentence} onClose={onClose} title={words.title}>
      <div className="mt-4 grid justify-items-center gap-4">
        {address === undefined && <Skeleton className={frame} />}
        {address === null && <Fault className="text-sm">{words.failed}</Fault>}
        {address && (
          <>
            <img alt={words.alt(poster.title)} className={`${frame} border border-line`} src={address} />
            <a className={buttonClass({ kind: "primary" })} download={`${poster.title}.png`} href={address}>
              {words.save}
            </a>
          </>
        )}
      </div>
    </Dialog>
  );
}

const [width, height, pictureHeight, codeSide] = [900, 1200, 660, 220];

/** The poster as the address of a PNG: phones save no SVG. */
async function drawPoster(poster: Poster): Promise<string> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(toSvg(poster, poster.picture ? await readPicture(poster.picture) : ""))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d")?.drawImage(image, 0, 0, width, height);
  return canvas.toDataURL();
}

/** Markup of a drawing, or of a photo as an image. */
async function readPicture(address: string): Promise<string> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the portrait answered ${response.status}`);
  const size = `width="${width}" height="${pictureHeight}"`;
  const file = await response.blob();
  if (file.type.startsWith("image/svg")) return (await file.text()).replace("<svg ", `<svg ${size} `);
  const reader = new FileReader();
  const read = new Promise((resolve) => reader.addEventListener("loadend", resolve));
  reader.readAsDataURL(file);
  await read;
  return `<image href="${reader.result}" ${size} preserveAspectRatio="xMidYMid slice"/>`;
}

const lineLength = 24;
const textLines = 3;

/** As `.faceless` of tailwind.css. */
const faceless = `<svg width="${width}" height="${pictureHeight}" viewBox="0 0 250 200" fill="none" stroke-linecap="round"><circle cx="125" cy="97" r="70" fill="${light.surface}"/><path d="M14 94v6M26 86v22M38 91v12M212 91v12M224 86v22M236 94v6" stroke="${light.edge}" stroke-width="4"/><path d="M93 89v16M109 73v48M125 57v80M141 75v44M157 87v20" stroke="${light.seal}" stroke-width="6"/></svg>`;

function toSvg({ title, text, siteName, qr }: Poster, picture: string): string {
  const lines = text.replace(/\s+/g, " ").match(new RegExp(`.{1,${lineLength}}[，。！？；：、”’）》」…]?`, "gu")) ?? [];
  const write = (said: string, [x, y]: [number, number], look: string) =>
    `<text x="${x}" y="${y}" ${look}>${said.replace(/[<&]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</text>`;
  const song = `font-family="Songti SC,Noto Serif CJK SC,serif" font-weight="600" fill="${light.ink}"`;
  const shown = lines
    .slice(0, textLines)
    .map((line, i) => (i === textLines - 1 && lines[textLines] ? `${line}…` : line));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="PingFang SC,HarmonyOS Sans SC,MiSans,Noto Sans CJK SC,Microsoft YaHei,sans-serif" fill="${light.muted}">
<rect width="${width}" height="${height}" fill="${light.paper}"/><rect width="${width}" height="${pictureHeight}" fill="${light.wash}"/>${picture || faceless}
<rect x="676" y="40" width="160" height="52" rx="26" fill="${light.surface}"/>${write(siteCopy.aiBadge, [756, 76], 'font-size="28" text-anchor="middle"')}
${write(title.replace(/^(.{11})..+$/u, "$1…"), [64, 764], `font-size="64" ${song}`)}${shown.map((line, i) => write(line, [64, 836 + 50 * i], 'font-size="32"')).join("")}
<g transform="translate(64 1036)"><rect width="72" height="72" rx="14" fill="${light.seal}"/><path d="M17 32v8m9-14v21m10-31v41m9-29v19m10-11v4" stroke="${light["on-seal"]}" stroke-width="5" stroke-linecap="round"/></g>
${write(siteName, [156, 1066], `font-size="36" ${song}`)}${write(words.scan, [156, 1106], 'font-size="26"')}
<g transform="translate(616 916) scale(${codeSide / qr.size})" shape-rendering="crispEdges"><rect width="${qr.size}" height="${qr.size}" fill="#fff"/><path d="${qr.path}" fill="${light.ink}"/></g></svg>`;
}
