import { type Dispatch, type SetStateAction, useCallback, useEffect, useRef, useState } from "react";
import { dubGenerationCopy } from "~/copy/dubbing-records";
import { joinNames } from "~/copy/format";
import { toDownloads } from "~/features/player/downloads";
import { usePlayer, usePlayerStage } from "~/features/player/provider";
import { paths } from "~/paths";
import type { SoundState } from "~/ui/button";
import type { Dub } from "~server/bff/generations.server";
import { dubLineKeyOf, isRunning, type LineAudio, titleOf } from "./dub";
import { isInProgress } from "./editor/line-status";
import { useReadAlong } from "./editor/read-along";
import { isBlank, lineKeyOf, type Script, type ScriptLine } from "./editor/script";
import type { DubSession } from "./use-dub-session";

/** Lines to play one after the other. */
interface Queue {
  ids: readonly string[];
  /** Index of the current line. */
  at: number;
  /** Counts the requests, so that the same line can be requested again. */
  request: number;
}

/** Plays lines in order, waiting for those that are being generated; or a finished dub as a whole. */
export function usePlayback({ editor, cast, generation, states }: DubSession) {
  const { store, readAlong } = editor;
  const player = usePlayer();
  const { media } = usePlayerStage();
  const [queue, setQueue] = useState<Queue | null>(null);
  const [wholeDub, setWholeDub] = useState<Dub | null>(null);
  /** The URL that this hook has started. */
  const startedUrl = useRef("");

  const current = queue ? store.get().lines.find(({ id }) => id === queue.ids[queue.at]) : undefined;
  const audio = current && generation.audios.get(lineKeyOf(current));

  const turn = queue && current ? `${queue.request} ${queue.at} ${current.id} ${audio?.voiceUrl ?? ""}` : "";
  const isTurnHandled = useTurn(turn, () => {
    if (!queue || !current) return;
    if (!audio) {
      const isExpected = isInProgress(states.get(current.id)) || generation.followed.some(isRunning);
      if (!isExpected) setQueue(advance(queue));
      return;
    }
    startedUrl.current = paths.media(audio.voiceUrl);
    player.play(toTrack(store.get(), current, { audio, name: cast.nameOf(current.roleId) }));
  });

  useSoundEnd(queue && media, setQueue);

  const stop = useCallback(() => {
    setQueue(null);
    setWholeDub(null);
    startedUrl.current = "";
  }, []);
  // The page's player has started something else.
  const url = player.track?.url ?? "";
  useEffect(() => {
    if (startedUrl.current && url !== startedUrl.current) stop();
  }, [url, stop]);

  const lineIds = queue && current ? [current.id] : wholeDub ? linesOfDub(wholeDub, store.get()) : [];
  const audibleId = useReadAlong(readAlong, {
    media,
    isPlaying: player.isPlaying,
    timelineUrl: lineIds.length > 0 ? player.track?.timelineUrl : undefined,
    lineIds,
    finishedIds: queue ? queue.ids.slice(0, queue.at) : [],
  });
  const id = wholeDub ? audibleId : (current?.id ?? null);
  // At the end of a line the media pauses before the next line loads.
  const isBetweenLines = queue !== null && (!audio || media?.ended === true || !isTurnHandled());
  const sound = soundOf(player, isBetweenLines);
  const isOwn = startedUrl.current !== "" && url === startedUrl.current;
  const isActive = Boolean(queue ?? wholeDub);
  return {
    /** The line that plays or loads. */
    playing: id !== null && (isOwn || queue) && sound !== "silent" ? { id, sound } : null,
    isPlaying: isActive && sound !== "silent",
    isPaused: isActive && isOwn && sound === "silent",
    /** The id of the dub that is loaded as a whole. */
    wholeDubId: wholeDub && isOwn ? wholeDub.dubbId : null,
    toggle: player.toggle,
    playLines(ids: readonly string[]) {
      setWholeDub(null);
      setQueue((now) => ({ ids: [...ids], at: 0, request: (now?.request ?? 0) + 1 }));
    },
    playWhole(dub: Dub) {
      const title = titleOf(dub);
      setQueue(null);
      setWholeDub(dub);
      startedUrl.current = paths.media(dub.voiceUrl);
      player.play({
        url: startedUrl.current,
        title,
        subtitle: joinNames(dub.lines.map(({ name }) => name)),
        ...(dub.timelineUrl && { timelineUrl: paths.media(dub.timelineUrl) }),
        downloads: toDownloads(dub, (format) => `${title}.${format}`),
      });
    },
  };
}

/** At the end of a line comes the next one. */
function useSoundEnd(media: HTMLMediaElement | null, setQueue: Dispatch<SetStateAction<Queue | null>>) {
  useEffect(() => {
    if (!media) return;
    const next = () => setQueue((now) => now && advance(now));
    media.addEventListener("ended", next);
    return () => media.removeEventListener("ended", next);
  }, [media, setQueue]);
}

/** Acts once in each turn, after the render that brings it. Returns a function that tells whether this was done. */
function useTurn(turn: string, act: () => void) {
  const handled = useRef("");
  useEffect(() => {
    if (turn === handled.current) return;
    handled.current = turn;
    act();
  });
  return () => turn === handled.current;
}

const toTrack = (
  { title, lines }: Script,
  { id }: ScriptLine,
  { audio, name }: { audio: LineAudio; name: string },
) => ({
  url: paths.media(audio.voiceUrl),
  title: title || dubGenerationCopy.listenAll,
  subtitle: dubGenerationCopy.subtitle(lines.findIndex((line) => line.id === id) + 1, name),
  ...(audio.timelineUrl && { timelineUrl: paths.media(audio.timelineUrl) }),
});

export type Playback = ReturnType<typeof usePlayback>;

/** The sound of the current line; between two lines it counts as loading. */
export function soundOf(player: { isPlaying: boolean; isLoading: boolean }, isBetweenLines: boolean): SoundState {
  if (player.isPlaying) return "playing";
  return player.isLoading || isBetweenLines ? "loading" : "silent";
}

const advance = (queue: Queue): Queue | null =>
  queue.at + 1 < queue.ids.length ? { ...queue, at: queue.at + 1 } : null;

/** For each line of the dub the id of the same line in the script; null if it has been edited since. */
function linesOfDub(dub: Dub, script: Script): Array<string | null> {
  const written: ScriptLine[] = script.lines.filter((line) => !isBlank(line));
  return dub.lines.map((line, index) => {
    const same = written[index];
    return same && lineKeyOf(same) === dubLineKeyOf(line) ? same.id : null;
  });
}
