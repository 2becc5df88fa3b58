export const colorModes = ["system", "light", "dark"] as const;
export type ColorMode = (typeof colorModes)[number];

const cookieName = "color-mode";
const cookieDays = 356;

export const isColorMode = (value: unknown): value is ColorMode => colorModes.some((mode) => mode === value);

/** The visitor's choice from a Cookie header; `system` until there is one. */
export function readColorMode(cookies: string | null): ColorMode {
  const value = cookies
    ?.split(/;\s*/)
    .find((pair) => pair.startsWith(`${cookieName}=`))
    ?.slice(cookieName.length + 1);
  return isColorMode(value) ? value : "system";
}

export const colorModeCookie = (mode: ColorMode) =>
  `${cookieName}=${mode}; Path=/; Max-Age=${cookieDays * 24 * 60 * 60}; SameSite=Lax; HttpOnly`;
