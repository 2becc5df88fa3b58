import { type RefObject, useEffect } from "react";

/** The layouts keep this much room at the foot of the page. */
const roomVariable = "--player";

/** Keeps the page's room as high as the bar, gap to its lower edge included, while it is shown. */
export function usePageRoom(bar: RefObject<HTMLElement>, isShown: boolean, gapPx: number): void {
  useEffect(() => {
    const element = bar.current;
    if (!element || !isShown) return;
    const root = document.documentElement;
    const measure = () => root.style.setProperty(roomVariable, `${element.offsetHeight + gapPx}px`);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => {
      observer.disconnect();
      root.style.removeProperty(roomVariable);
    };
  }, [bar, isShown, gapPx]);
}
