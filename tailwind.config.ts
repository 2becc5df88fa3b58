import type { Config } from "tailwindcss";
import plugin from "tailwindcss/plugin";
import { dark, light } from "./app/ui/palette";

const variables = (palette: typeof light) =>
  Object.fromEntries(Object.entries(palette).map(([name, value]) => [`--${name}`, value]));
const lightRules = {
  ...variables(light),
  "--shadow": "0 1px 2px rgb(22 24 29 / 0.04), 0 12px 32px -16px rgb(22 24 29 / 0.18)",
  "color-scheme": "light",
};
const darkRules = {
  ...variables(dark),
  "--shadow": "0 1px 2px rgb(0 0 0 / 0.3), 0 16px 40px -20px rgb(0 0 0 / 0.7)",
  "color-scheme": "dark",
};

/**
 * Utilities that no page uses, and whose defaults would be variables of every element and its pseudo-elements,
 * which browsers compute anew with every style: 47 of 51.
 */
const unusedPlugins = [
  ...["borderSpacing", "contain", "fontVariantNumeric", "gradientColorStops", "scrollSnapType", "touchAction"],
  ...[
    "filter",
    "blur",
    "brightness",
    "contrast",
    "dropShadow",
    "grayscale",
    "hueRotate",
    "invert",
    "saturate",
    "sepia",
  ],
  ...["backdropFilter", "backdropBlur", "backdropBrightness", "backdropContrast", "backdropGrayscale"],
  ...["backdropHueRotate", "backdropInvert", "backdropOpacity", "backdropSaturate", "backdropSepia"],
  // Pages use the CSS properties `translate`, `rotate` and `box-shadow` instead.
  ...["transform", "translate", "rotate", "skew", "scale"],
  ...["ringColor", "ringOffsetColor", "ringOffsetWidth", "ringOpacity", "ringWidth"],
];

export default {
  content: ["./app/**/*.{ts,tsx}"],
  // Words of the code that Tailwind would take for classes.
  blocklist: [
    ...["!block", "!container", "!filter", "!human", "collapse", "container", "filter", "ordinal", "resize", "ring"],
    ...["static", "table", "transform", "transition", "visible"],
  ],
  corePlugins: Object.fromEntries(unusedPlugins.map((name) => [name, false])),
  theme: {
    colors: {
      transparent: "transparent",
      current: "currentColor",
      ...Object.fromEntries(Object.keys(light).map((name) => [name, `var(--${name})`])),
    },
    fontFamily: {
      sans: [
        "PingFang SC",
        "HarmonyOS Sans SC",
        "MiSans",
        "Noto Sans CJK SC",
        "Microsoft YaHei",
        "system-ui",
        "sans-serif",
      ],
      song: ["Songti SC", "Noto Serif CJK SC", "Source Han Serif SC", "serif"],
    },
    fontSize: {
      tab: ["0.6875rem", "1rem"],
      xs: ["0.8125rem", "1.25rem"],
      sm: ["0.9375rem", "1.5rem"],
      base: ["1rem", "1.625rem"],
      lg: ["1.125rem", "1.75rem"],
      xl: ["1.25rem", "1.875rem"],
      "2xl": ["1.5625rem", "2.125rem"],
      "3xl": ["1.9375rem", "2.5rem"],
      "4xl": ["3.0625rem", "3.875rem"],
    },
    borderRadius: { none: "0", sm: "4px", DEFAULT: "10px", card: "16px", full: "999px" },
    boxShadow: { card: "var(--shadow)", none: "none" },
    // In em, so that a desktop with large text gets the phone's layout: 480, 768 and 1024 px with text of 16 px.
    screens: { sm: "30em", md: "48em", lg: "64em" },
    transitionDuration: { DEFAULT: "var(--motion)" },
    extend: {
      // Wider where a page asks for it: see `.wide-page` in app/ui/tailwind.css.
      maxWidth: { page: "var(--page, 1120px)" },
      spacing: { tabbar: "var(--tabbar)", player: "var(--player, 0px)" },
    },
  },
  plugins: [
    // Few characters fit in a line, as on a phone with text at 150 % or more. Not a screen: max-* variants need plain widths.
    plugin(({ addVariant }) => addVariant("tight", "@media (max-width: 19em)")),
    plugin(({ addBase }) =>
      addBase({
        ":root": lightRules,
        // Paper is light.
        "@media screen": { '[data-theme="dark"]': darkRules },
        "@media screen and (prefers-color-scheme: dark)": { '[data-theme="system"]': darkRules },
      }),
    ),
  ],
} satisfies Config;
