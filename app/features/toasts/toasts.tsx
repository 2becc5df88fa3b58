import { Suspense, useEffect, useSyncExternalStore } from "react";
import { siteCopy } from "~/copy/site";
import { IconButton } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";
import { lazyPart } from "~/ui/lazy-part";
import { noticesWanted, showSavedNotice } from "./notify";

const ToastContainer = lazyPart(
  () => import("./toast-container"),
  (_props, { retry }) => <PlainNotice onOnline={retry} />,
);
const onServer = () => false;

/** Rendered by the root; loads the toast library with the first notification. */
export function Toasts() {
  const isWanted = useSyncExternalStore(noticesWanted.subscribe, noticesWanted.now, onServer);
  useEffect(showSavedNotice, []);
  return isWanted ? (
    <Suspense fallback={null}>
      <ToastContainer />
    </Suspense>
  ) : null;
}

/** Says the newest notice while the container's code cannot load. */
function PlainNotice({ onOnline }: { onOnline(): void }) {
  const text = useSyncExternalStore(noticesWanted.subscribe, noticesWanted.lastWaiting, () => null);
  useEffect(() => {
    window.addEventListener("online", onOnline);
    return () => window.removeEventListener("online", onOnline);
  }, [onOnline]);
  if (!text) return null;
  return (
    <div
      className="fixed right-3 top-[4.75rem] z-50 flex max-w-[calc(100vw-24px)] items-center gap-2 rounded border border-line bg-surface py-1 pl-4 pr-1 text-sm shadow-card"
      role="alert"
    >
      <span>{text}</span>
      <IconButton label={siteCopy.closeNotice} onClick={noticesWanted.dropWaiting}>
        <Icon name="close" size={18} />
      </IconButton>
    </div>
  );
}
