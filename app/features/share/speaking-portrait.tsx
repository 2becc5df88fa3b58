import { useRef, useState } from "react";
import { Picture } from "~/features/portrait/picture";
import type { Human } from "~/features/portrait/still";
import { useTheme } from "~/features/theme/theme";
import { parseSpokenTimeline, type Speech, type SpokenTimeline } from "~server/contract/portrait/spoken-timeline";

interface SpeakingPortraitProps {
  human: Pick<Human, "roleId" | "name" | "avatar" | "portrait">;
  /** Address of the sound at this site. */
  sound: string;
  timeline?: string | undefined;
  /** Names the player. */
  label: string;
}

/** A portrait over the browser's own player, which works without scripts; with them the portrait speaks the sound. */
export function SpeakingPortrait({ human, sound, timeline, label }: SpeakingPortraitProps) {
  const audio = useRef<HTMLAudioElement>(null);
  const { colorMode } = useTheme();
  const [isPlaying, setPlaying] = useState(false);
  const [speech, setSpeech] = useState<Speech>();

  const start = () => {
    setPlaying(true);
    if (speech || !timeline) return;
    const seconds = () => (audio.current?.seeking ? null : (audio.current?.currentTime ?? null));
    void readTimeline(timeline).then((found) => setSpeech({ id: sound, timeline: found, seconds }));
  };
  return (
    <div className="grid content-start gap-3">
      <div className="aspect-[5/4] overflow-hidden rounded-card bg-wash">
        <Picture
          colorMode={colorMode}
          human={{ describe: "", voiceUrl: sound, ...human }}
          isSpeaking={isPlaying && human.portrait !== null}
          speech={isPlaying ? speech : undefined}
        />
      </div>
      <audio
        aria-label={label}
        className="w-full"
        controls
        onEnded={() => setPlaying(false)}
        onPause={() => setPlaying(false)}
        onPlay={start}
        preload="metadata"
        ref={audio}
        src={sound}
      >
        <track kind="captions" />
      </audio>
    </div>
  );
}

const readTimeline = (address: string): Promise<SpokenTimeline | null> =>
  fetch(address)
    .then(async (response) => (response.ok ? parseSpokenTimeline(await response.json()) : null))
    .catch(() => null);
