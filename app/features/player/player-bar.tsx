import { useEffect, useState } from "react";
import { ClientOnly } from "remix-utils/client-only";
import { usePlayerStage } from "./provider";

/** The bar at the bottom of every page; its code, the waveform's included, arrives with the first thing played. */
export function PlayerBar() {
  const { state } = usePlayerStage();
  const wasAsked = state.attempt > 0;
  return wasAsked ? <ClientOnly>{() => <Island />}</ClientOnly> : null;
}

function Island() {
  const { state, dispatch, onError } = usePlayerStage();
  const { attempt } = state;
  const [Bar, setBar] = useState<(() => JSX.Element) | null>(null);

  useEffect(() => {
    if (Bar) return;
    let isGone = false;
    import("./bar").then(
      (module) => {
        if (!isGone) setBar(() => module.Bar);
      },
      () => {
        if (isGone) return;
        dispatch({ type: "failed", attempt });
        onError?.();
      },
    );
    return () => {
      isGone = true;
    };
  }, [Bar, attempt, dispatch, onError]);

  return Bar && <Bar />;
}
