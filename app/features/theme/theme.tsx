import { createContext, type ReactNode, startTransition, useContext, useEffect, useMemo, useState } from "react";
import { paths } from "~/paths";
import type { ColorMode } from "./color-mode";
import { toDevice } from "./device";

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
  const [bannerHeight, setBannerHeight] = useState(0);
  const [colorMode, setMode] = useState(initial.colorMode);
  const theme = useMemo(() => {
    const setColorMode = (mode: ColorMode) => {
      setMode(mode);
      // Style sheets follow the attribute; the server remembers the choice and writes the attribute before the first paint.
      document.documentElement.dataset.theme = mode;
      void fetch(paths.colorMode, { method: "POST", body: new URLSearchParams({ mode }), keepalive: true }).catch(
        () => {},
      );
    };
    return { ...device, bannerHeight, setBannerHeight, colorMode, setColorMode };
  }, [device, bannerHeight, colorMode]);
  return <ThemeContext.Provider value={theme}>{children}</ThemeContext.Provider>;
}

function useDevice(guessedMobile: boolean) {
  const [device, setDevice] = useState({ isMobile: guessedMobile, isTablet: false });
  useEffect(() => {
    const measure = () => {
      const next = toDevice(window.innerWidth, window.matchMedia("(pointer: coarse)").matches);
      const isSame = (now: typeof next) => now.isMobile === next.isMobile && now.isTablet === next.isTablet;
      // In a transition: parts that load late may still be hydrating, and a plain update would make them start anew.
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
