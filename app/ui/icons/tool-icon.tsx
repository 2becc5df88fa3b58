import { IconFrame, type IconFrameProps } from "./icon";

/** Signs of tools that only some pages need: apart from the others, which every page loads. */
const shapes = {
  flag: "M6 21V4m0 0h11l-2.500 4L17 12H6",
  pencil: "m4 20 1-4L16 5l3 3L8 19zM14 7l3 3",
  bin: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5",
  shuffle: "M4 7h4l8 10h4m0 0-3-3m3 3-3 3M4 17h4l2-2.500M14 9.500 16 7h4m0 0-3-3m3 3-3 3",
  globe: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3.500 12h17M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18",
  folder: "M3.500 18.500v-13h6l2 2.500h9v10.500z",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  music:
    "M9 18V5.500l10-2V16M9 18a2.500 2.500 0 1 1-5 0 2.500 2.500 0 0 1 5 0zM19 16a2.500 2.500 0 1 1-5 0 2.500 2.500 0 0 1 5 0z",
  plus: "M12 5v14M5 12h14",
  down: "m6 9 6 6 6-6",
  undo: "M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6v1",
  redo: "m15 7 5 5-5 5M20 12H10a6 6 0 0 0-6 6v1",
  grip: "M9 6h.010M15 6h.010M9 12h.010M15 12h.010M9 18h.010M15 18h.010",
  more: "M6 12h.010M12 12h.010M18 12h.010",
  selected: "M5 4h14v16H5zM8.500 12l2.500 2.500 4.500-5",
  search: "M11 4.500a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zM16 16l4 4",
  back: "M19 12H5m0 0 6-6m-6 6 6 6",
  star: "m12 4 2.500 5.100 5.600.800-4 4 .900 5.600-5-2.700-5 2.700.900-5.600-4-4 5.600-.800z",
  picture: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.500 9.500v.010",
  eyeOff:
    "m4 4 16 16M9.500 5.500A9 9 0 0 1 12 5c5 0 8 4 9 7a11 11 0 0 1-2 3.500M6 7c-2 1.500-3 3.500-3 5 1 3 4 7 9 7a9 9 0 0 0 4-1",
} as const;

/** A picture beside words, hidden from assistive technology. */
export function ToolIcon({ name, ...sheet }: Omit<IconFrameProps, "children"> & { name: keyof typeof shapes }) {
  const isDots = name === "grip" || name === "more";
  return (
    <IconFrame {...sheet} {...(isDots && { strokeWidth: 2.4 })}>
      <path d={shapes[name]} />
    </IconFrame>
  );
}
