import type { PortraitParameters } from "./parameters";

/** Pigments. Faces keep their own colours in both themes; only the ground behind them follows the theme. */
export const ink = "#24262C";

export const teeth = "#FFF8F0";

export const mouthInside = "#742A24";

export const seal = "#C8371F";

export const gold = "#C49A45";

export const paper = "#F6F1E7";

/** A colour between two, both as #RRGGBB; share 0 is the first. */
export function mixColors(from: string, to: string, share: number): string {
  const channels = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const target = channels(to);
  const mixed = channels(from).map((value, index) => Math.round(value + ((target[index] ?? 0) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

interface SkinTone {
  base: string;
  shade: string;
  blush: string;
  lip: string;
}

export const skinTones: Record<PortraitParameters["skin"], SkinTone> = {
  porcelain: { base: "#F8E1CE", shade: "#E6BFA5", blush: "#EE9C8A", lip: "#BC4A40" },
  ivory: { base: "#F4D5B9", shade: "#DDB08D", blush: "#E58F76", lip: "#B0483A" },
  peach: { base: "#F7D0B5", shade: "#E3A98A", blush: "#EC8A76", lip: "#BE453A" },
  sand: { base: "#EAC19B", shade: "#CD9A71", blush: "#D97F62", lip: "#A5463A" },
  wheat: { base: "#DCA97E", shade: "#BA825A", blush: "#C96B50", lip: "#963C32" },
  bronze: { base: "#C48E66", shade: "#9D6B48", blush: "#B25D44", lip: "#833830" },
};

interface HairTone {
  base: string;
  /** The stroke where light runs along the hair. */
  sheen: string;
  brow: string;
}

export const hairTones: Record<PortraitParameters["hairColor"], HairTone> = {
  ink: { base: "#25272D", sheen: "#4B505A", brow: "#25272D" },
  brown: { base: "#43302A", sheen: "#6D5145", brow: "#3A2A25" },
  chestnut: { base: "#6B4030", sheen: "#95614A", brow: "#553126" },
  grey: { base: "#5C5F66", sheen: "#8A8D93", brow: "#3F4147" },
  silver: { base: "#B4B2AE", sheen: "#D9D7D2", brow: "#8F8C88" },
};

interface Cloth {
  base: string;
  shade: string;
  /** Collars, seams and edges. */
  trim: string;
}

export const cloths: Record<PortraitParameters["coat"], Cloth> = {
  slate: { base: "#3C505A", shade: "#2E3F48", trim: "#5B717B" },
  seal: { base: "#C4412B", shade: "#A23220", trim: "#E07A63" },
  celadon: { base: "#3C8271", shade: "#2D685A", trim: "#7DB5A5" },
  ochre: { base: "#BF9143", shade: "#9F7530", trim: "#DDBB7C" },
  indigo: { base: "#3B4E78", shade: "#2D3D61", trim: "#7084B0" },
  plum: { base: "#7A4A5C", shade: "#613848", trim: "#A97C8C" },
  paper: { base: "#F2EBDD", shade: "#D9CFBC", trim: "#BFB39C" },
  charcoal: { base: "#3A3D44", shade: "#2A2C32", trim: "#62666F" },
  sky: { base: "#7FA3B8", shade: "#6287A0", trim: "#B5CDDA" },
};
