import { lazy, Suspense, useSyncExternalStore } from "react";
import { noticesWanted } from "./notify";

const ToastContainer = lazy(() => import("./container"));
const onServer = () => false;

/** Stands in the root; costs nothing until somebody notifies. */
export function Toasts() {
  const isWanted = useSyncExternalStore(noticesWanted.subscribe, noticesWanted.now, onServer);
  return isWanted ? (
    <Suspense fallback={null}>
      <ToastContainer />
    </Suspense>
  ) : null;
}
