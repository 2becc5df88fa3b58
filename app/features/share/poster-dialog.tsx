import { useEffect, useState } from "react";
import { posterCopy as words } from "~/copy/share";
import { siteCopy } from "~/copy/site";
import { buttonClass } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { Fault, Skeleton } from "~/ui/feedback";
import { light } from "~/ui/palette";

/** What stands on the poster of a public page. */
export interface Poster {
  /** The person's or the work's name. */
  title: string;
  /** What is said, or what the person is like. */
  text: string;
  /** Address of the portrait at this site; null draws the seal alone. */
  picture: string | null;
  siteName: string;
  /** The page's address. */
  qr: { size: number; path: string };
}

/** Draws the poster and offers it as a picture: a long press or the button saves it. `lazy` requires a default export. */
export default function PosterDialog({ poster, onClose }: { poster: Poster; onClose(): void }) {
  const [address, setAddress] = useState<string | null>();
  const key = JSON.stringify(poster);
  useEffect(() => {
    let isGone = false;
    let drawn = "";
    drawPoster(JSON.parse(key)).then(
      (blob) => {
        if (isGone) return;
        drawn = URL.createObjectURL(blob);
        setAddress(drawn);
      },
      () => isGone || setAddress(null),
    );
    return () => {
      isGone = true;
      URL.revokeObjectURL(drawn);
    };
  }, [key]);
  return (
    <Dialog closeLabel={words.close} description={words.sentence} onClose={onClose} title={words.title}>
      <div className="mt-4 grid justify-items-center gap-4">
        {address === undefined && <Skeleton className="aspect-[3/4] w-full max-w-[270px] rounded-card" />}
        {address === null && <Fault className="text-sm">{words.failed}</Fault>}
        {address && (
          <>
            <img
              alt={words.alt(poster.title)}
              className="aspect-[3/4] w-full max-w-[270px] rounded-card border border-line"
              height={height}
              src={address}
              width={width}
            />
            <a className={buttonClass({ kind: "primary" })} download={`${poster.title}.png`} href={address}>
              {words.save}
            </a>
          </>
        )}
      </div>
    </Dialog>
  );
}

const width = 900;
const height = 1200;
const margin = 64;
const pictureHeight = 660;
const codeSide = 220;
const song = '"Songti SC","Noto Serif CJK SC",serif';
const sans = '"PingFang SC","HarmonyOS Sans SC",MiSans,"Noto Sans CJK SC","Microsoft YaHei",sans-serif';

async function drawPoster({ title, text, picture, siteName, qr }: Poster): Promise<Blob> {
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("there is no canvas");
  const fill = (color: string, box: [number, number, number, number], radius = 0) => {
    pen.fillStyle = color;
    pen.beginPath();
    pen.roundRect(...box, radius);
    pen.fill();
  };
  const write = (line: string, [x, y]: [number, number], font: string, color: string) => {
    pen.font = font;
    pen.fillStyle = color;
    pen.fillText(line, x, y);
  };
  fill(light.paper, [0, 0, width, height]);
  fill(light.wash, [0, 0, width, pictureHeight]);
  if (picture) drawCovering(pen, await readPicture(picture));
  else drawSeal(pen, [(width - 220) / 2, (pictureHeight - 220) / 2], 220);
  pen.font = `28px ${sans}`;
  const badge = pen.measureText(siteCopy.aiBadge).width + 44;
  fill(light.surface, [width - margin - badge, 40, badge, 52], 26);
  write(siteCopy.aiBadge, [width - margin - badge + 22, 76], pen.font, light.muted);
  const [large, small] = [`600 64px ${song}`, `32px ${sans}`];
  write(breakText(pen, title, { font: large, lines: 1 })[0] ?? "", [margin, pictureHeight + 104], large, light.ink);
  for (const [i, line] of breakText(pen, text, { font: small, lines: 3 }).entries())
    write(line, [margin, pictureHeight + 176 + i * 50], small, light.muted);
  const foot = height - margin - codeSide;
  drawSeal(pen, [margin, foot + 120], 72);
  write(siteName, [margin + 92, foot + 150], `600 36px ${song}`, light.ink);
  write(words.scan, [margin + 92, foot + 190], `26px ${sans}`, light.muted);
  fill(light.surface, [width - margin - codeSide, foot, codeSide, codeSide], 12);
  pen.translate(width - margin - codeSide, foot);
  pen.scale(codeSide / qr.size, codeSide / qr.size);
  pen.fillStyle = light.ink;
  pen.fill(new Path2D(qr.path));
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture was not encoded")))),
  );
}

/** The logo of `app/ui/icons/icon.tsx`. */
function drawSeal(pen: CanvasRenderingContext2D, [x, y]: [number, number], side: number) {
  pen.save();
  pen.translate(x, y);
  pen.scale(side / 180, side / 180);
  pen.fillStyle = light.seal;
  pen.beginPath();
  pen.roundRect(0, 0, 180, 180, 34);
  pen.fill();
  pen.strokeStyle = light["on-seal"];
  pen.lineWidth = 12;
  pen.lineCap = "round";
  pen.stroke(new Path2D("M42 81v18m24-36v54m24-78v102m24-72v48m24-27v9"));
  pen.restore();
}

/** Lines that fit between the margins; the last one ends with an ellipsis where characters are left. */
function breakText(pen: CanvasRenderingContext2D, text: string, { font, lines }: { font: string; lines: number }) {
  pen.font = font;
  const broken = [""];
  for (const character of text.replace(/\s+/g, " ")) {
    const line = (broken.at(-1) ?? "") + character;
    // A line does not start with a closing mark.
    const isFull =
      pen.measureText(line).width > width - 2 * margin - 32 && !/[，。！？；：、”’）》」…]/.test(character);
    if (!isFull) broken[broken.length - 1] = line;
    else broken.push(character.trimStart());
  }
  const last = broken[lines - 1];
  return broken.length > lines && last
    ? [...broken.slice(0, lines - 1), `${[...last].slice(0, -1).join("")}…`]
    : broken;
}

/** Fills the upper part without distortion. */
function drawCovering(pen: CanvasRenderingContext2D, image: HTMLImageElement) {
  const scale = Math.max(width / image.naturalWidth, pictureHeight / image.naturalHeight);
  const [w, h] = [image.naturalWidth * scale, image.naturalHeight * scale];
  pen.save();
  pen.beginPath();
  pen.rect(0, 0, width, pictureHeight);
  pen.clip();
  pen.drawImage(image, (width - w) / 2, (pictureHeight - h) / 2, w, h);
  pen.restore();
}

async function readPicture(address: string): Promise<HTMLImageElement> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the portrait answered ${response.status}`);
  const file = await response.blob();
  // Firefox draws no SVG that states no size.
  const isDrawing = file.type.startsWith("image/svg");
  const parts = isDrawing ? [(await file.text()).replace("<svg ", '<svg width="1000" height="800" ')] : [file];
  const source = URL.createObjectURL(new Blob(parts, { type: file.type }));
  const image = new Image();
  image.src = source;
  await image.decode().finally(() => URL.revokeObjectURL(source));
  return image;
}
