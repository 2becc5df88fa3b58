/** What films and the preview of a film that is not made yet have in common. */
export type FilmSize = { width: number; height: number };

export const filmBackgrounds = ["paper", "moon", "ink"] as const;
export type FilmBackground = (typeof filmBackgrounds)[number];

/** In shares of the shorter side: letters of captions and of the label, a listener, and the gap around listeners. */
export const filmShares = { caption: 0.06, label: 0.036, listener: 0.2, gap: 0.036 };
export const filmInk = "#24262C";
export const filmWhite = "#FFFDF8";

/** The speaker stands on the lower edge; a narrow frame cuts the shoulders. */
export function speakerSquare({ width, height }: FilmSize) {
  const side = Math.min(1.22 * width, 0.9 * height);
  return { x: (width - side) / 2, y: height - side, side };
}

interface BackgroundTone {
  ground: [top: string, bottom: string];
  moon: string;
  /** Behind a listener. */
  plate: string;
  line: string;
}

const tones: Record<FilmBackground, BackgroundTone> = {
  paper: { ground: ["#F6F1E7", "#E9E0CF"], moon: "#FFFDF8", plate: "#FFFDF8", line: "#24262C" },
  moon: { ground: ["#C9D6D3", "#EFE4D2"], moon: "#FBF3E1", plate: "#F3EEE2", line: "#2B3A3A" },
  ink: { ground: ["#17191E", "#2E323B"], moon: "#E9E0CF", plate: "#3A3F4A", line: "#F6F1E7" },
};

export const toneOf = (background: FilmBackground): BackgroundTone => tones[background];

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
    `${hill(0.6, 0.12, 0.05)}${hill(0.7, 0.09, 0.06)}${hill(0.82, 0.06, 0.07)}` +
    drawBamboo({ width, height }, line)
  );
}

/** Leaves on the stalk: share of its length, angle in degrees, size. */
const leaves = [
  [0.2, 196, 0.9],
  [0.22, 158, 1],
  [0.46, 12, 0.8],
  [0.5, 170, 1.15],
  [0.76, 24, 0.7],
] as const;

/** A washed stalk of bamboo beside the person, beyond the label. */
function drawBamboo({ width, height }: FilmSize, line: string): string {
  const unit = Math.min(width, height) / 100;
  const [foot, top, bottom] = [width - 15 * unit, height * 0.17, height * 0.78];
  const lean = 5 * unit;
  const at = (share: number) => [round(foot + lean * (1 - share) ** 2), round(top + share * (bottom - top))] as const;
  const joints = [0, 0.24, 0.5, 0.78, 1].map(at);
  const stalk = joints.slice(1).map(([x, y], i) => {
    const [fromX, fromY] = joints[i] as readonly [number, number];
    return `M${fromX} ${round(fromY + unit)}L${x} ${y}`;
  });
  const drawn = leaves.map(([share, angle, size]) => {
    const [x, y] = at(share);
    return `<path d="M0 0C5-3.4 13-4 21-1.400C14 2 6 2.800 0 0z" transform="translate(${x} ${y}) rotate(${angle}) scale(${(unit * size).toFixed(2)})"/>`;
  });
  return (
    `<path d="${stalk.join("")}" fill="none" stroke="${line}" stroke-opacity=".13" stroke-width="${round(1.5 * unit)}" stroke-linecap="round"/>` +
    `<g fill="${line}" fill-opacity=".12">${drawn.join("")}</g>`
  );
}
