import { editorCopy } from "~/copy/dubbing";
import type { Delivery } from "./script";

/** "高兴 · 1.1×": the strongest feeling and the speed. */
export function deliveryWords({ genre, ext = {}, speed }: Delivery): string {
  return `${toneWords(genre, ext)} · ${editorCopy.speed(speed)}`;
}

function toneWords(genre: Delivery["genre"], ext: Readonly<Record<string, number>>): string {
  if (genre === 1) return editorCopy.recorded;
  if (genre === 0) return editorCopy.plain;
  const [strongest] = Object.entries(ext)
    .filter(([, weight]) => weight > 0)
    .sort((a, b) => b[1] - a[1]);
  return (strongest && editorCopy.emotions[strongest[0]]) ?? editorCopy.plain;
}
