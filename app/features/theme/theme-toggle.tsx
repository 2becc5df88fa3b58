import { siteCopy } from "~/copy/site";
import { IconButton } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";
import { type ColorMode, colorModes } from "./color-mode";
import { useTheme } from "./theme";

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
