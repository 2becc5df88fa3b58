import { useCallback, useEffect, useRef, useState } from "react";
import { dubGenerationCopy } from "~/copy/dubbing-records";
import { joinNames } from "~/copy/format";
import { toDownloads } from "~/features/player/downloads";
import { usePlayer, usePlayerStage } from "~/features/player/provider";
import { paths } from "~/paths";
import type { Dub } from "~server/bff/generations.server";
import { keyOf } from "../editor/cost";
import type { ReadAlong } from "../editor/read-along";
import { isBlank, type Script, type ScriptLine } from "../editor/script";
import type { LineSound } from "../editor/state";
import { useReadAlong } from "../editor/use-read-along";
import { keyOfMade, type MadeLines } from "./made";

interface Parts {
  getScript(): Script;
  made: MadeLines;
  along: ReadAlong;
  nameOf(roleId: string): string;
  /** Lines that are still being made. */
  isPending(line: ScriptLine): boolean;
}

/** Lines to be heard one after the other; `at` is the one whose turn it is. */
interface Queue {
  ids: readonly string[];
  at: number;
  /** Grows with every press, so that the same line can be asked for again. */
  round: number;
}

/** Plays lines in their order through the page's player, waiting for those that are still being made. */
export function useListening({ getScript, made, along, nameOf, isPending }: Parts) {
  const player = usePlayer();
  const { media } = usePlayerStage();
  const [queue, setQueue] = useState<Queue | null>(null);
  const [whole, setWhole] = useState<Dub | null>(null);
  const playing = useRef("");

  const lineOf = (id: string | undefined) => getScript().lines.find((line) => line.id === id);
  const current = queue ? lineOf(queue.ids[queue.at]) : undefined;
  const found = current && made.get(keyOf(current));

  const stopQueue = useCallback(() => {
    setQueue(null);
    setWhole(null);
    playing.current = "";
  }, []);

  // The line whose turn it is sounds as soon as it is there.
  const play = useRef(player.play);
  play.current = player.play;
  const turn = queue && current ? `${queue.round} ${queue.at} ${current.id} ${found?.voiceUrl ?? ""}` : "";
  const taken = useRef("");
  useEffect(() => {
    if (turn === taken.current) return;
    taken.current = turn;
    if (!queue || !current) return;
    if (!found) {
      if (!isPending(current)) setQueue(nextIn(queue));
      return;
    }
    const place = getScript().lines.findIndex(({ id }) => id === current.id) + 1;
    const url = paths.media(found.voiceUrl);
    playing.current = url;
    play.current({
      url,
      title: getScript().title || dubGenerationCopy.listenAll,
      subtitle: dubGenerationCopy.subtitle(place, nameOf(current.roleId)),
      ...(found.timelineUrl && { timelineUrl: paths.media(found.timelineUrl) }),
    });
  });

  useEffect(() => {
    if (!media || !queue) return;
    const next = () => setQueue((now) => now && nextIn(now));
    media.addEventListener("ended", next);
    return () => media.removeEventListener("ended", next);
  }, [media, queue]);

  // Whoever plays something else has turned away from the script.
  const url = player.track?.url ?? "";
  useEffect(() => {
    if (playing.current && url !== playing.current) stopQueue();
  }, [url, stopQueue]);

  const heardLine = useReadAlong({
    media,
    along,
    url,
    isOn: player.isPlaying,
    target: targetOf(whole, queue, current, getScript),
    before: queue ? queue.ids.slice(0, queue.at) : [],
  });
  const id = whole ? heardLine : (current?.id ?? null);
  // At the end of a line the media pauses before the next line loads.
  const isBetweenLines = queue !== null && (!found || media?.ended === true || turn !== taken.current);
  const sound = soundOf(player, isBetweenLines);

  const isOwn = playing.current !== "" && url === playing.current;
  return {
    sounding: id !== null && (isOwn || queue) && sound !== "silent" ? { id, sound } : null,
    isListening: Boolean(queue ?? whole) && sound !== "silent",
    /** Whether the script is loaded and only paused. */
    isPaused: Boolean(queue ?? whole) && isOwn && sound === "silent",
    /** The finished dub that sounds as one. */
    playingDub: whole && isOwn ? whole.dubbId : null,
    toggle: player.toggle,
    /** These lines, one after the other. */
    listen(ids: readonly string[]) {
      setWhole(null);
      setQueue((now) => ({ ids: [...ids], at: 0, round: (now?.round ?? 0) + 1 }));
    },
    /** A finished dub as one, from one of its lines on. */
    listenWhole(dub: Dub, from = 0) {
      const track = paths.media(dub.voiceUrl);
      setQueue(null);
      setWhole(dub);
      playing.current = track;
      player.play({
        url: track,
        title: dub.title || dubGenerationCopy.listenAll,
        subtitle: joinNames(dub.lines.map(({ name }) => name)),
        ...(dub.timelineUrl && { timelineUrl: paths.media(dub.timelineUrl) }),
        downloads: toDownloads(dub, (format) => `${dub.title || dubGenerationCopy.listenAll}.${format}`),
      });
      const start = dub.lines[from]?.start ?? 0;
      if (from > 0 && start > 0) seekWhenReady(media, start);
    },
    stop: stopQueue,
  };
}

/** What the line's button shows; between two lines the script still sounds. */
export function soundOf(player: { isPlaying: boolean; isLoading: boolean }, isBetweenLines: boolean): LineSound {
  if (player.isPlaying) return "playing";
  return player.isLoading || isBetweenLines ? "loading" : "silent";
}

const nextIn = (queue: Queue): Queue | null =>
  queue.at + 1 < queue.ids.length ? { ...queue, at: queue.at + 1 } : null;

/** Which line each line of what sounds is, here in the script; null for one that has been changed since. */
function targetOf(whole: Dub | null, queue: Queue | null, current: ScriptLine | undefined, getScript: () => Script) {
  if (queue && current) return [current.id];
  if (!whole) return [];
  const written = getScript().lines.filter((line) => !isBlank(line));
  return whole.lines.map((line, index) => {
    const same = written[index];
    return same && keyOf(same) === keyOfMade(line) ? same.id : null;
  });
}

function seekWhenReady(media: HTMLAudioElement | null, seconds: number) {
  if (!media) return;
  const seek = () => {
    media.currentTime = seconds;
  };
  if (media.readyState >= 1 && !media.paused) seek();
  else media.addEventListener("playing", seek, { once: true });
}
