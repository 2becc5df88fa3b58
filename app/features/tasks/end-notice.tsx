import { useState } from "react";
import { endNoticeCopy as words } from "~/copy/dubbing-dialogs";

import { Button } from "~/ui/button";
import type { CallData } from "~server/contract/calls/table";

const permission = () => (typeof Notification === "undefined" ? "denied" : Notification.permission);

const canAsk = () => permission() === "default";
/** Whether ends are told while the page is in the background. */
const hasEndNotices = () => permission() === "granted";

/** Tells the end of a task by the browser's own notice, where it is allowed and the page is in the background. */
export async function tellTaskEnd({ kind, status, msg, taskId }: CallData<"taskEvents">): Promise<void> {
  if (!hasEndNotices() || !document.hidden || status === 1 || msg === "cancelled") return;
  const title = words.title(kind, status === 2);
  const options = { body: words.hint, tag: taskId };
  // Browsers of phones have no notices without a service worker.
  const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  if (worker?.active) return worker.showNotification(title, options);
  const notice = new Notification(title, options);
  notice.onclick = () => {
    window.focus();
    notice.close();
  };
}

/** Offers to tell the end of a long task while the page is in the background. */
export function EndNoticeButton({ notify }: { notify(notice: { kind: "success" | "warning"; text: string }): void }) {
  const [isOffered, setOffered] = useState(canAsk);
  if (!isOffered) return null;
  const ask = async () => {
    const isGranted = (await Notification.requestPermission()) === "granted";
    setOffered(canAsk());
    notify(isGranted ? { kind: "success", text: words.asked } : { kind: "warning", text: words.denied });
  };
  return (
    <Button className="justify-self-start" kind="quiet" onClick={() => void ask()}>
      {words.ask}
    </Button>
  );
}
