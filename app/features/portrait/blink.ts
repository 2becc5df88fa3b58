/** How long the lids stay down. */
export const closedMs = 130;

/** People blink every two to six seconds, now and then twice in a row. `random` is 0 to 1. */
export function untilNextBlinkMs(random: () => number): number {
  const isDouble = random() < 0.12;
  return isDouble ? 160 + 80 * random() : 2000 + 4000 * random() ** 1.4;
}
