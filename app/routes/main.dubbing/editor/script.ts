/** How a line is spoken; the names are the contract's. `genre` 0 as the voice speaks · 1 like a recording · 2 by feelings. */
export interface Delivery {
  speed: number;
  /** Semitones. */
  pitch?: number | undefined;
  /** Decibels. */
  volume?: number | undefined;
  genre: 0 | 1 | 2;
  /** Weights of feeling by name, 0 to 1. */
  ext?: Readonly<Record<string, number>> | undefined;
  emotionPath?: string | undefined;
}

export interface ScriptLine extends Delivery {
  id: string;
  roleId: string;
  /** With its marks: `#0.5#`, `行(xing2)`. */
  content: string;
  /** A subtitle's place in the whole, milliseconds. */
  startMs?: number | undefined;
  endMs?: number | undefined;
}

export interface Script {
  title: string;
  lines: readonly ScriptLine[];
}

export const titleMax = 100;

export const plainDelivery: Delivery = { speed: 1, genre: 0 };

let made = 0;
/** Unique among the lines of every draft in this browser. */
const newLineId = () => `${Date.now().toString(36)}-${(made++).toString(36)}-${Math.random().toString(36).slice(2, 8)}`;

export const createLine = (line: Partial<ScriptLine> & { roleId: string }): ScriptLine => ({
  ...plainDelivery,
  content: "",
  ...line,
  id: line.id ?? newLineId(),
});

/** How a line is spoken, without who says what where. */
export function deliveryOf({ speed, pitch, volume, genre, ext, emotionPath }: Delivery): Delivery {
  return { speed, pitch, volume, genre, ext, emotionPath };
}

export const isBlank = ({ content }: Pick<ScriptLine, "content">) => content.trim() === "";
