import { encode } from "uqr";
import type { QrCode } from "../contract/checkout";

/** Quiet modules around it: the card it stands on is white, and gives the rest of the four. */
const border = 1;

/** A QR code as one path of rows of dark squares; null for what does not fit in one. */
export function drawQr(text: string): QrCode | null {
  if (!text) return null;
  try {
    const { size, data } = encode(text, { ecc: "M", border });
    return { size, path: data.map(rowPath).join("") };
  } catch {
    return null;
  }
}

/** A run of dark squares is one rectangle. */
function rowPath(row: readonly boolean[], y: number): string {
  let path = "";
  for (let x = 0; x < row.length; x++) {
    if (!row[x]) continue;
    let end = x;
    while (row[end]) end++;
    path += `M${x} ${y}h${end - x}v1h${x - end}z`;
    x = end;
  }
  return path;
}
