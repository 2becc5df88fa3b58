/** Fen of an amount in yuan such as "88.8" or "-0.01"; null for any other text. Without floating-point errors. */
export function parseYuan(text: string): number | null {
  const [, sign, yuan = "", fen = ""] = /^([+-]?)(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text.trim()) ?? [];
  if (yuan === "") return null;
  const amount = Number(yuan) * 100 + Number(fen.padEnd(2, "0"));
  return sign === "-" && amount !== 0 ? -amount : amount;
}

/** "88.80" */
export const formatYuan = (fen: number): string =>
  `${Math.trunc(fen / 100)}.${String(Math.abs(fen % 100)).padStart(2, "0")}`;
