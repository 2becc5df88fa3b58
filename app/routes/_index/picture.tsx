import { lazy, Suspense } from "react";
import type { Human } from "~/features/portrait/human-card";
import { useTheme } from "~/features/theme/theme";
import { paths } from "~/paths";

const SpeakingFace = lazy(async () => ({ default: (await import("~/features/portrait/human-card")).Face }));

/** A human's face: a still picture, drawn live only while it speaks. */
export function Picture({ human, isSpeaking = false }: { human: Human; isSpeaking?: boolean }) {
  if (isSpeaking && !human.avatar) {
    return (
      <Suspense fallback={<Still human={human} />}>
        <SpeakingFace human={human} isSpeaking />
      </Suspense>
    );
  }
  return <Still human={human} />;
}

function Still({ human }: { human: Human }) {
  const { colorMode } = useTheme();
  const drawn = (mode: "light" | "dark") =>
    human.avatar ? paths.media(human.avatar) : paths.portrait(human.portrait, mode);
  return (
    <picture>
      {colorMode === "system" && !human.avatar && (
        <source media="(prefers-color-scheme: dark)" srcSet={drawn("dark")} />
      )}
      <img
        alt=""
        className="block h-full w-full object-cover object-bottom"
        decoding="async"
        height={200}
        loading="lazy"
        src={drawn(colorMode === "dark" ? "dark" : "light")}
        width={250}
      />
    </picture>
  );
}
