import type { FilmBackground, FilmSize } from "./film";

interface Tone {
  ground: [top: string, bottom: string];
  moon: string;
  /** Behind a listener. */
  plate: string;
  line: string;
}

const tones: Record<FilmBackground, Tone> = {
  paper: { ground: ["#F6F1E7", "#E9E0CF"], moon: "#FFFDF8", plate: "#FFFDF8", line: "#24262C" },
  moon: { ground: ["#C9D6D3", "#EFE4D2"], moon: "#FBF3E1", plate: "#F3EEE2", line: "#2B3A3A" },
  ink: { ground: ["#17191E", "#2E323B"], moon: "#E9E0CF", plate: "#3A3F4A", line: "#F6F1E7" },
};

export const toneOf = (background: FilmBackground): Tone => tones[background];

const round = (value: number) => Math.round(value);

/** A moon over hills of washed ink, in the frame's own size. */
export function drawBackground(background: FilmBackground, { width, height }: FilmSize): string {
  const { ground, moon, line } = toneOf(background);
  const short = Math.min(width, height);
  const [x, y, radius] =
    height > width ? [width * 0.32, height * 0.26, short * 0.27] : [width * 0.27, height * 0.36, short * 0.26];
  const hill = (top: number, lift: number, opacity: number) => {
    const [left, middle] = [height * top, height * (top - lift)];
    const d = `M0 ${round(left)}C${round(width * 0.2)} ${round(middle)} ${round(width * 0.38)} ${round(left)} ${round(width * 0.55)} ${round(left - height * 0.02)}S${round(width * 0.85)} ${round(middle)} ${width} ${round(left - height * 0.05)}V${height}H0z`;
    return `<path d="${d}" fill="${line}" fill-opacity="${opacity}"/>`;
  };
  return (
    `<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${ground[0]}"/><stop offset="1" stop-color="${ground[1]}"/></linearGradient></defs>` +
    `<rect width="${width}" height="${height}" fill="url(#sky)"/>` +
    `<circle cx="${round(x)}" cy="${round(y)}" r="${round(radius * 1.12)}" fill="${moon}" fill-opacity=".25"/>` +
    `<circle cx="${round(x)}" cy="${round(y)}" r="${round(radius)}" fill="${moon}" fill-opacity=".75"/>` +
    `${hill(0.6, 0.12, 0.05)}${hill(0.7, 0.09, 0.06)}${hill(0.82, 0.06, 0.07)}`
  );
}
