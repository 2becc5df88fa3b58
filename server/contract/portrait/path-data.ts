/** SVG attributes of each element that moves; the elements carry the part's name as `data-part`. */
export type MovingParts = Record<string, Record<string, string>>;

export const round = (value: number) => Math.round(value * 100) / 100;

/** SVG path data: letters and numbers, rounded to hundredths of a unit. */
export const path = (...steps: (string | number)[]) =>
  steps.map((step) => (typeof step === "number" ? ` ${round(step)}` : step)).join("");

export const shift = (x: number, y: number) => `translate(${round(x)} ${round(y)})`;
