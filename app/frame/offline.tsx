import { useBlocker, useRevalidator } from "@remix-run/react";
import { useEffect, useState } from "react";
import { updatesCopy as words } from "~/copy/site";
import { notify } from "~/features/toasts/notify";
import { NoticeBar } from "~/ui/card";

/**
 * Says that the network is gone, keeps this page meanwhile, and asks for everything again when it is back. Every page
 * starts with it: without the network it could not be loaded.
 */
export function Offline() {
  const { revalidate } = useRevalidator();
  const [isOffline, setOffline] = useState(() => !navigator.onLine);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => !navigator.onLine && nextLocation.pathname !== currentLocation.pathname,
  );
  useEffect(() => {
    const leave = () => setOffline(true);
    const back = () => {
      setOffline(false);
      revalidate();
      notify({ kind: "success", text: words.back });
    };
    window.addEventListener("offline", leave);
    window.addEventListener("online", back);
    return () => {
      window.removeEventListener("offline", leave);
      window.removeEventListener("online", back);
    };
  }, [revalidate]);
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    blocker.reset();
    notify({ kind: "warning", text: words.stays });
  }, [blocker]);
  return isOffline && <NoticeBar label={words.connection} text={words.offline} />;
}
