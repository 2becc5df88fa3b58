import { IconFrame, type IconFrameProps } from "./icon-frame";
import { type IconName, shapes } from "./shapes";

/** A picture beside words: hidden from assistive technology, so whatever it decorates must have a name of its own. */
export function Icon({ name, ...sheet }: Omit<IconFrameProps, "children"> & { name: IconName }) {
  return <IconFrame {...sheet}>{shapes[name]}</IconFrame>;
}
