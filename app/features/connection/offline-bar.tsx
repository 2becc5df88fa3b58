import { useEffect, useState } from "react";
import { updatesCopy as words } from "~/copy/site";
import { NoticeBar } from "~/ui/notice-bar";

/** Says that the network is gone, and asks for everything again when it is back. */
export function OfflineBar({ onBack }: { onBack(): void }) {
  const [isOffline, setOffline] = useState(() => !navigator.onLine);
  useEffect(() => {
    const leave = () => setOffline(true);
    const back = () => {
      setOffline(false);
      onBack();
    };
    window.addEventListener("offline", leave);
    window.addEventListener("online", back);
    return () => {
      window.removeEventListener("offline", leave);
      window.removeEventListener("online", back);
    };
  }, [onBack]);
  return isOffline ? <NoticeBar label={words.connection} text={words.offline} /> : null;
}
