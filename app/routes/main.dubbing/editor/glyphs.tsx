import { IconFrame } from "~/ui/icons/icon";

const shapes = {
  grip: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01",
  more: "M6 12h.01M12 12h.01M18 12h.01",
  undo: "M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6v1",
  redo: "m15 7 5 5-5 5M20 12H10a6 6 0 0 0-6 6v1",
  plus: "M12 5v14M5 12h14",
  down: "m6 9 6 6 6-6",
} as const;

/** The editor's icons. Decorative: they need a label beside them. */
export function Glyph({ name, size = 20 }: { name: keyof typeof shapes; size?: number }) {
  const isDots = name === "grip" || name === "more";
  return (
    <IconFrame size={size} strokeWidth={isDots ? 2.4 : 1.7}>
      <path d={shapes[name]} />
    </IconFrame>
  );
}
