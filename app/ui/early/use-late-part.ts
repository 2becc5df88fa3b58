import { type RefObject, useEffect } from "react";

/** For a part whose code comes after the page's: `data-late` on its element, until presses are heard there. */
export function useLatePart(part: RefObject<HTMLElement>) {
  useEffect(() => {
    part.current?.removeAttribute("data-late");
    window.early?.repeat();
  }, [part]);
}
