import { useEffect, useRef, useState } from "react";
import { formatClock } from "~/copy/format";
import { referenceCopy } from "~/copy/recording";
import { loadFailureCopy } from "~/copy/site";
import { Button, IconButton } from "~/ui/button";
import { RadioGroup } from "~/ui/fields";
import { Icon, WaveformBars } from "~/ui/icons/icon";
import { adviceOf, type Reference } from "./reference";

interface ReferenceRowProps {
  reference: Reference;
  retakeLabel: string;
  onRetake(): void;
  onEdited(reference: Reference): void;
  /** The recording is about to play: other playback should pause. */
  onPlay(): void;
}

/** A reference with playback, waveform, verdict, advice and the action for it. */
export function ReferenceRow({ reference, retakeLabel, onRetake, onEdited, onPlay }: ReferenceRowProps) {
  const { isPlaying, toggle } = usePlayback(reference.sound, onPlay);
  const [isTrimming, setTrimming] = useState(false);
  const [isUnloaded, setUnloaded] = useState(false);
  const advice = adviceOf(reference);

  const trim = async () => {
    setTrimming(true);
    setUnloaded(false);
    const code = await import("./audio").catch(() => null);
    if (code) return onEdited(await code.trimReference(reference));
    setTrimming(false);
    setUnloaded(true);
  };

  return (
    <div>
      <div className="flex min-h-[44px] flex-wrap items-center gap-3">
        <IconButton
          className="border border-line bg-surface text-ink hover:border-edge"
          label={isPlaying ? referenceCopy.pause : referenceCopy.play}
          onClick={toggle}
        >
          <Icon name={isPlaying ? "pause" : "play"} size={18} />
        </IconButton>
        {reference.seconds > 0 && <span className="tabular text-xs text-muted">{formatClock(reference.seconds)}</span>}
        <WaveformBars
          className="order-first basis-full text-celadon sm:order-none sm:basis-0"
          heights={reference.heights}
        />
        <Verdict reference={reference} />
        {advice?.action !== "retake" && (
          <IconButton className="max-sm:ml-auto" label={retakeLabel} onClick={onRetake}>
            <Icon name="retake" />
          </IconButton>
        )}
      </div>
      {advice && (
        <div className="mt-1 flex min-h-[44px] items-center gap-3">
          <p className="min-w-0 flex-1 text-xs text-muted">{isUnloaded ? loadFailureCopy.sentence : advice.sentence}</p>
          {advice.action === "trim" && (
            <Button icon={<Icon name="scissors" size={18} />} onClick={trim} pending={isTrimming}>
              {referenceCopy.trim}
            </Button>
          )}
          {advice.action === "retake" && (
            <Button onClick={onRetake}>
              <Icon name="retake" size={18} />
              {retakeLabel}
            </Button>
          )}
        </div>
      )}
      <NoiseChoice onEdited={onEdited} reference={reference} />
      {!advice && reference.isTrimmed && (
        <p className="text-xs text-muted">{referenceCopy.trimmed(reference.seconds)}</p>
      )}
    </div>
  );
}

/** Speech this far above its pauses needs no filter. */
const quietSnrDb = 30;
const noiseOptions = (["original", "denoised"] as const).map((value) => ({ value, label: referenceCopy.noise[value] }));

/** Noisy recordings can be compared with what a noise filter makes of them; what is chosen is used. */
function NoiseChoice({ reference, onEdited }: Pick<ReferenceRowProps, "reference" | "onEdited">) {
  const [isPending, setPending] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const denoised = useRef<Reference | null>(null);
  const { original, quality, promptId } = reference;
  // A prompt's recording is proof as it was spoken.
  if (promptId || (!original && !(quality && quality.snrDb < quietSnrDb))) return null;

  const denoise = async () => {
    setPending(true);
    setFailed(false);
    const code = await import("./audio").catch(() => null);
    denoised.current ??= (await code?.denoiseReference(reference)) ?? null;
    setPending(false);
    if (denoised.current) onEdited(denoised.current);
    else setFailed(true);
  };
  const choose = (value: "original" | "denoised") => {
    if (value === "denoised") return original || isPending ? undefined : void denoise();
    if (!original) return;
    denoised.current = reference;
    onEdited(original);
  };
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
      <RadioGroup
        label={referenceCopy.noise.label}
        onChange={choose}
        options={noiseOptions}
        value={original || isPending ? "denoised" : "original"}
      />
      <p className={`min-w-0 flex-1 text-xs ${hasFailed ? "text-seal" : "text-muted"}`} role="status">
        {hasFailed ? referenceCopy.noise.failed : isPending ? referenceCopy.noise.pending : referenceCopy.noise.hint}
      </p>
    </div>
  );
}

const verdicts = {
  good: { className: "text-celadon", label: referenceCopy.clear },
  usable: { className: "text-gold", label: referenceCopy.usable },
  refused: { className: "text-seal", label: referenceCopy.refused },
};

function Verdict({ reference: { quality } }: { reference: Reference }) {
  if (!quality) return <span className="text-xs text-muted">{referenceCopy.unheard}</span>;
  const { className, label } = verdicts[quality.verdict];
  return <span className={`whitespace-nowrap text-xs ${className}`}>{label}</span>;
}

/** Plays the user's recording apart from the site's player, which is for generated sound. */
function usePlayback(sound: Blob, onPlay: () => void) {
  const [isPlaying, setPlaying] = useState(false);
  const media = useRef<HTMLAudioElement | null>(null);

  useEffect(() => {
    const url = URL.createObjectURL(sound);
    const audio = new Audio(url);
    audio.onplay = () => setPlaying(true);
    audio.onpause = () => setPlaying(false);
    media.current = audio;
    return () => {
      audio.pause();
      URL.revokeObjectURL(url);
      media.current = null;
    };
  }, [sound]);

  const toggle = () => {
    const audio = media.current;
    if (!audio) return;
    if (!audio.paused) return audio.pause();
    onPlay();
    void audio.play().catch(() => setPlaying(false));
  };
  return { isPlaying, toggle };
}
