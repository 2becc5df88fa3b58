import { memo } from "react";
import { Picture } from "~/features/portrait/picture";
import { useTheme } from "~/features/theme/theme";
import type { Speaker } from "./script";

/** A speaker's picture at the size of a line; the first character of the name if there is none. */
export const Face = memo(function Face({ speaker }: { speaker: Speaker }) {
  const { colorMode } = useTheme();
  const { avatar, portrait, name, roleId } = speaker;
  if (!avatar && !portrait) return <span className="font-song text-lg font-semibold">{[...name][0] ?? "?"}</span>;
  const human = { roleId, name, describe: "", avatar, portrait, voiceUrl: "" };
  return <Picture colorMode={colorMode} human={human} />;
});
