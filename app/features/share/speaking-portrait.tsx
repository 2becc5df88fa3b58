import { type ReactNode, useEffect, useRef, useState } from "react";
import { parseSpokenTimeline, type Speech, type SpokenTimeline } from "~server/portrait/spoken-timeline";

interface SpeakingPortraitProps {
  /** The portrait, by what it speaks now; undefined while it is silent. */
  picture(isPlaying: boolean, speech: Speech | undefined): ReactNode;
  /** Address of the sound at this site. */
  sound: string;
  timeline?: string | undefined;
  /** Names the player. */
  label: string;
  /** Another sound plays: this one pauses. */
  isSilenced?: boolean;
  onPlay?(): void;
}

/** A portrait over the browser's own player, which works without scripts; with them the portrait speaks the sound. */
export function SpeakingPortrait(props: SpeakingPortraitProps) {
  const { picture, sound, timeline, label, isSilenced = false, onPlay } = props;
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [speech, setSpeech] = useState<Speech>();
  useEffect(() => {
    if (isSilenced) audio.current?.pause();
  }, [isSilenced]);

  const start = () => {
    setPlaying(true);
    onPlay?.();
    if (speech || !timeline) return;
    const seconds = () => (audio.current?.seeking ? null : (audio.current?.currentTime ?? null));
    void readTimeline(timeline).then((found) => setSpeech({ id: sound, timeline: found, seconds }));
  };
  return (
    <div className="grid content-start gap-3">
      <div className="aspect-[5/4] overflow-hidden rounded-card bg-wash">
        {picture(isPlaying, isPlaying ? speech : undefined)}
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
