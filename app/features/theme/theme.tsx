import {
  createContext,
  type ReactNode,
  startTransition,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
} from "react";
import { siteCopy } from "~/copy/site";
import { paths } from "~/paths";
import { IconButton } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";

interface Theme {
  isMobile: boolean;
  isTablet: boolean;
  /** Height in CSS pixels of a notice across the top of the page; 0 without one. */
  bannerHeight: number;
  setBannerHeight: (height: number) => void;
  colorMode: ColorMode;
  setColorMode: (mode: ColorMode) => void;
}

const ThemeContext = createContext<Theme | null>(null);

const resizeDebounceMs = 50;

/** The saves so far. */
let saving: Promise<unknown> = Promise.resolve();

/** One save after the other: their answers could arrive in another order, and the last choice counts. */
function saveColorMode(mode: ColorMode) {
  const request = { method: "POST", body: new URLSearchParams({ mode }), keepalive: true };
  saving = saving.then(() => fetch(paths.colorMode, request)).catch(() => {});
}

export function useTheme(): Theme {
  const theme = useContext(ThemeContext);
  if (!theme) throw new Error("useTheme needs a ThemeProvider above it");
  return theme;
}

interface ThemeProviderProps {
  initial: { isMobile: boolean; colorMode: ColorMode };
  children: ReactNode;
}

export function ThemeProvider({ initial, children }: ThemeProviderProps) {
  const device = useDevice(initial.isMobile);
  const [bannerHeight, setHeight] = useState(0);
  // The same function in every render: the notice measures itself again when it changes.
  const setBannerHeight = useCallback((height: number) => startTransition(() => setHeight(height)), []);
  const [colorMode, setMode] = useState(initial.colorMode);
  const theme = useMemo(() => {
    const setColorMode = (mode: ColorMode) => {
      setMode(mode);
      // Style sheets follow the attribute; the server remembers the choice and writes the attribute before the first paint.
      document.documentElement.dataset.theme = mode;
      const paper = getComputedStyle(document.documentElement).getPropertyValue("--paper");
      for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
        meta.content = (mode === "system" && meta.dataset.system) || paper;
      saveColorMode(mode);
    };
    return { ...device, bannerHeight, setBannerHeight, colorMode, setColorMode };
  }, [device, bannerHeight, setBannerHeight, colorMode]);
  return <ThemeContext.Provider value={theme}>{children}</ThemeContext.Provider>;
}

function useDevice(guessedMobile: boolean) {
  const [device, setDevice] = useState({ isMobile: guessedMobile, isTablet: false });
  useEffect(() => {
    const measure = () => {
      const next = toDevice(window.innerWidth, window.matchMedia("(pointer: coarse)").matches);
      const isSame = (now: typeof next) => now.isMobile === next.isMobile && now.isTablet === next.isTablet;
      // In a transition: parts that load late may still be hydrating, and a plain update would restart their hydration.
      startTransition(() => setDevice((now) => (isSame(now) ? now : next)));
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onResize = () => {
      clearTimeout(timer);
      timer = setTimeout(measure, resizeDebounceMs);
    };
    measure();
    window.addEventListener("resize", onResize);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("resize", onResize);
    };
  }, []);
  return device;
}

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

const mobileBelow = 768;

const tabletUpTo = 1024;

/** Device class by the window's width in CSS pixels; a narrow desktop window still has a fine pointer. */
export const toDevice = (width: number, hasCoarsePointer: boolean) => ({
  isMobile: width < mobileBelow,
  isTablet: width >= mobileBelow && width <= tabletUpTo && hasCoarsePointer,
});

const icons = { system: "contrast", light: "sun", dark: "moon" } as const;

const after = (mode: ColorMode): ColorMode =>
  colorModes[(colorModes.indexOf(mode) + 1) % colorModes.length] ?? "system";

/** One button walks through: as the system says, light, dark. */
export function ThemeToggle() {
  const { colorMode, setColorMode } = useTheme();
  const next = after(colorMode);
  const { label } = siteCopy.colorMode;
  return (
    <IconButton
      label={label(siteCopy.colorMode[colorMode], siteCopy.colorMode[next])}
      onClick={() => setColorMode(next)}
    >
      <Icon name={icons[colorMode]} />
    </IconButton>
  );
}
