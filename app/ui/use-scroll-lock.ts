import { useLayoutEffect } from "react";

/** Holds the page still while mounted. The scrollbar's room is kept, so that nothing moves sideways. */
export function useScrollLock() {
  useLayoutEffect(() => {
    const { style, clientWidth } = document.documentElement;
    const barWidth = window.innerWidth - clientWidth;
    const { overflow, scrollbarGutter, paddingRight } = style;
    style.overflow = "hidden";
    if (barWidth > 0) {
      if (CSS.supports("scrollbar-gutter", "stable")) style.scrollbarGutter = "stable";
      else style.paddingRight = `${barWidth}px`;
    }
    return () => {
      Object.assign(style, { overflow, scrollbarGutter, paddingRight });
    };
  }, []);
}
