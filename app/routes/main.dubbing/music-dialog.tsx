import { useCallback, useEffect, useRef, useState } from "react";
import { refusalOf } from "~/call";
import { musicRowCopy } from "~/copy/dubbing";
import { musicCopy as copy } from "~/copy/dubbing-tools";
import { sentenceFor } from "~/copy/errors";
import { useAccount } from "~/features/account/provider";
import { setAudioSession } from "~/features/player/controls";
import { usePlayer } from "~/features/player/provider";
import { Slider } from "~/features/tone/tone-panel";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { Fault } from "~/ui/feedback";
import { fileInput, RadioGroup } from "~/ui/fields";
import { Icon } from "~/ui/icons/icon";
import {
  type MusicTrack,
  mixPreview,
  musicPresets,
  musicRanges,
  musicTracks,
  speechLufs,
} from "~server/contract/music";
import { createLoop } from "~server/contract/music-loops";
import { uploadMusic } from "./dub";
import { lineKeyOf, type ScriptMusic } from "./editor/script";
import type { DubSession } from "./use-dub-session";

const sliders = [
  { name: "level", step: 1, format: copy.levelText },
  { name: "duck", step: 1, format: copy.duckText },
  { name: "fadeIn", step: 0.5, format: copy.fadeText },
  { name: "fadeOut", step: 0.5, format: copy.fadeText },
] as const;

/** Chooses the music under the script, and plays it with the first lines. */
export function MusicDialog({ session, onLogIn, onClose }: { session: DubSession; onLogIn(): void; onClose(): void }) {
  const saved = session.editor.store.get().music;
  const [music, setMusic] = useState<ScriptMusic>(saved ?? { track: "calm", ...musicPresets });
  const [isUsed, setUsed] = useState(true);
  const [fault, setFault] = useState<string | null>(null);
  const preview = usePreview(session, setFault);
  const change = (next: Partial<ScriptMusic>) => {
    preview.stop();
    setFault(null);
    setMusic((now) => ({ ...now, ...next }));
  };
  const isMissing = isUsed && music.track === "own" && !music.musicPath;
  const finish = () => {
    if (isMissing) return setFault(copy.noFile);
    const chosen = isUsed ? withoutUnusedFile(music) : undefined;
    if (JSON.stringify(chosen) !== JSON.stringify(saved)) session.editor.store.edit({ type: "music", music: chosen });
    onClose();
  };
  const tracks = musicTracks.map((value) => ({ value, label: musicRowCopy.names[value] }));
  return (
    <Dialog closeLabel={copy.close} description={copy.note} onClose={onClose} title={copy.title}>
      <div className="mt-4 grid gap-3">
        <RadioGroup
          label={copy.track}
          onChange={(value) => {
            setUsed(value !== "none");
            change(value === "none" ? {} : { track: value as MusicTrack });
          }}
          options={[{ value: "none", label: copy.none }, ...tracks]}
          value={isUsed ? music.track : "none"}
        />
        {isUsed && music.track === "own" && (
          <OwnFile music={music} onChange={change} onFault={setFault} onLogIn={onLogIn} />
        )}
        {isUsed &&
          sliders.map(({ name, step, format }) => (
            <Slider
              key={name}
              label={copy[name]}
              max={musicRanges[name].max}
              min={musicRanges[name].min}
              onChange={(value) => change({ [name]: value })}
              step={step}
              text={format(music[name])}
              value={music[name]}
            />
          ))}
        {isUsed && <p className="text-xs text-muted">{preview.hasSpeech ? copy.withSpeech : copy.musicOnly}</p>}
        <Fault className="text-xs">{fault}</Fault>
      </div>
      <div className="mt-4 flex gap-3">
        {isUsed && (
          <Button
            className="flex-1"
            disabled={isMissing}
            icon={<Icon name={preview.state === "playing" ? "stop" : "play"} size={18} />}
            onClick={() => (preview.state === "playing" ? preview.stop() : void preview.play(music))}
            pending={preview.state === "preparing"}
          >
            {{ idle: copy.listen, preparing: copy.preparing, playing: copy.stop }[preview.state]}
          </Button>
        )}
        <Button className="flex-1" kind="primary" onClick={finish}>
          {isUsed ? copy.use : copy.remove}
        </Button>
      </div>
    </Dialog>
  );
}

const withoutUnusedFile = ({ musicPath, name, loudness, ...music }: ScriptMusic): ScriptMusic =>
  music.track === "own" ? { ...music, musicPath, name, loudness } : music;

interface OwnFileProps {
  music: ScriptMusic;
  onChange(change: Partial<ScriptMusic>): void;
  onFault(fault: string | null): void;
  onLogIn(): void;
}

/** The uploaded file, and the way to choose another one. */
function OwnFile({ music, onChange, onFault, onLogIn }: OwnFileProps) {
  const { isLogin } = useAccount().account;
  const [isSending, setSending] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const send = async (file: File) => {
    setSending(true);
    onFault(null);
    await uploadMusic(file).then(onChange, (error) => onFault(sentenceFor(refusalOf(error))));
    setSending(false);
  };
  if (!isLogin) {
    return (
      <div className="flex flex-wrap items-center justify-between gap-2 rounded bg-wash px-4 py-3 text-sm">
        {copy.login}
        <Button onClick={onLogIn}>{copy.logIn}</Button>
      </div>
    );
  }
  return (
    <div className="grid gap-2 rounded bg-wash px-4 py-3">
      <div className="flex items-center justify-between gap-3">
        <span className="min-w-0 truncate text-sm">{music.musicPath ? music.name || copy.savedFile : copy.file}</span>
        <Button className="shrink-0" onClick={() => picker.current?.click()} pending={isSending}>
          {isSending ? copy.sending : music.musicPath ? copy.change : copy.choose}
        </Button>
      </div>
      <p className="text-xs text-muted">{copy.fileNote}</p>
      <input
        accept="audio/*,.mp3,.wav,.flac,.ogg"
        aria-label={copy.file}
        className="sr-only"
        ref={picker}
        tabIndex={-1}
        {...fileInput(send)}
      />
    </div>
  );
}

/** Hz, as speech has it. */
const sampleRate = 24_000;
const previewLines = 3;

/** Plays the mix that the server would make of the first generated lines. */
function usePreview({ editor, generation }: DubSession, onFault: (fault: string | null) => void) {
  const player = usePlayer();
  const [state, setState] = useState<"idle" | "preparing" | "playing">("idle");
  const context = useRef<AudioContext | null>(null);
  const { lines } = editor.store.get();
  const urls = lines.flatMap((line) => generation.audios.get(lineKeyOf(line))?.voiceUrl ?? []).slice(0, previewLines);
  const stop = useCallback(() => {
    void context.current?.close();
    context.current = null;
    setAudioSession("auto");
    setState("idle");
  }, []);
  useEffect(() => stop, [stop]);

  const play = async (music: ScriptMusic) => {
    if (player.isPlaying) player.toggle();
    setAudioSession("playback");
    // Opened by the tap: phones allow no sound otherwise.
    const opened = new AudioContext({ sampleRate });
    context.current = opened;
    setState("preparing");
    onFault(null);
    try {
      const mixed = await loadPreview(opened, music, urls);
      if (context.current !== opened) return;
      const buffer = opened.createBuffer(1, mixed.length, sampleRate);
      buffer.copyToChannel(mixed, 0);
      const source = new AudioBufferSourceNode(opened, { buffer });
      source.connect(opened.destination);
      source.onended = () => context.current === opened && stop();
      source.start();
      setState("playing");
    } catch {
      if (context.current !== opened) return;
      stop();
      onFault(copy.failed);
    }
  };
  return { state, play, stop, hasSpeech: urls.length > 0 };
}

async function loadPreview(context: AudioContext, music: ScriptMusic, urls: readonly string[]) {
  const load = async (url: string) => {
    const response = await fetch(paths.media(url));
    if (response.status !== 200) throw new Error("no such file");
    return (await context.decodeAudioData(await response.arrayBuffer())).getChannelData(0);
  };
  const [bed, ...lines] = await Promise.all([
    music.track === "own" ? load(music.musicPath ?? "") : createLoop(music.track, sampleRate),
    ...urls.map(load),
  ]);
  const loudness = music.track === "own" ? music.loudness : speechLufs;
  return mixPreview({ bed, lines, settings: music, sampleRate, loudness });
}
