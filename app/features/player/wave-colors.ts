const tokens = { waveColor: "--edge", progressColor: "--seal", cursorColor: "--seal" } as const;

/** Canvas knows no CSS variables, so the tokens are read off the document. */
export function readWaveColors(): Record<keyof typeof tokens, string> {
  const style = getComputedStyle(document.documentElement);
  const read = (token: string) => style.getPropertyValue(token).trim();
  return {
    waveColor: read(tokens.waveColor),
    progressColor: read(tokens.progressColor),
    cursorColor: read(tokens.cursorColor),
  };
}

/** Calls back whenever the theme changes, by the switch or by the system. Returns how to stop. */
export function watchTheme(changed: () => void): () => void {
  const switched = new MutationObserver(changed);
  switched.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", changed);
  return () => {
    switched.disconnect();
    system.removeEventListener("change", changed);
  };
}
