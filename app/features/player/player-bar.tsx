import { lazy, Suspense } from "react";
import { ClientOnly } from "remix-utils/client-only";
import { usePlayerStage } from "./provider";

const Bar = lazy(async () => ({ default: (await import("./bar")).Bar }));

/** The bar at the bottom of every page; its code arrives with the first thing played. */
export function PlayerBar() {
  const { state } = usePlayerStage();
  if (!state.track) return null;
  return (
    <ClientOnly>
      {() => (
        <Suspense>
          <Bar />
        </Suspense>
      )}
    </ClientOnly>
  );
}
