/** Seconds that the pause menus of clone and dubbing offer. */
export const pauseSeconds = [0.3, 0.5, 1, 2] as const;

/** A pause in words, as both menus name it. */
export const pauseName = (seconds: number) => `停顿 ${seconds} 秒`;
