import { type RefObject, useEffect, useRef, useState } from "react";
import { resume, usePlayerStage } from "./provider";
import { createWaveform, type Waveform } from "./waveform";

/** Keeps the waveform in `container` in step with the player: loads each track asked for and plays it once ready. */
export function useWaveform(container: RefObject<HTMLElement>): void {
  const { state, dispatch, media, onError } = usePlayerStage();
  const { track, attempt } = state;
  const url = track?.url;
  const [waveform, setWaveform] = useState<Waveform | null>(null);
  const fail = useLatest((failed: number) => {
    if (failed !== state.attempt || !(state.isLoading || state.isShown)) return;
    dispatch({ type: "failed", attempt: failed });
    onError?.();
  });
  const broken = useLatest(() => {
    // while loading, load() itself tells
    if (!state.isLoading) fail.current(state.attempt);
  });

  useEffect(() => {
    if (!container.current || !media) return;
    const created = createWaveform(container.current, media, () => broken.current());
    setWaveform(created);
    return () => created.destroy();
  }, [container, media, broken]);

  useEffect(() => {
    if (!waveform || !media) return;
    if (!url) return waveform.clear();
    let isStale = false;
    waveform.load(url).then(
      (loaded) => {
        if (!loaded || isStale) return;
        resume(media);
        dispatch({ type: "ready", attempt, ...loaded, isPlaying: !media.paused });
      },
      () => {
        if (!isStale) fail.current(attempt);
      },
    );
    return () => {
      isStale = true;
    };
  }, [waveform, media, url, attempt, dispatch, fail]);
}

function useLatest<Value>(value: Value): RefObject<Value> & { current: Value } {
  const ref = useRef(value);
  useEffect(() => {
    ref.current = value;
  });
  return ref;
}
