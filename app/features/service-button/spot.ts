import type { CSSProperties } from "react";

export const widthPx = 56;
export const heightPx = 104;
/** Specification section 9. */
export const marginPx = 20;

const playerPx = () => Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--player")) || 0;

/** How far the button may go from where it starts, to every edge of the viewport that is free. */
export function travel(topPx: number) {
  const { clientWidth } = document.documentElement;
  return {
    left: -(clientWidth - widthPx - marginPx),
    right: marginPx,
    top: -(window.innerHeight - heightPx - marginPx - playerPx() - topPx),
    bottom: marginPx,
  };
}

/** Clamped by the style sheet itself, so that a smaller window or a player that opens never pushes it out of sight. */
export function spotStyle([x, y]: [number, number], topPx: number): CSSProperties {
  return {
    right: `clamp(0px, ${marginPx - x}px, 100% - ${widthPx}px)`,
    bottom: `clamp(var(--player, 0px), var(--player, 0px) + ${marginPx - y}px, 100% - ${heightPx + topPx}px)`,
  };
}
