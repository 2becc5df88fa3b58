import { endNoticeCopy as words } from "~/copy/dubbing-records";
import type { CallData } from "~server/contract/calls/table";

const permission = () => (typeof Notification === "undefined" ? "denied" : Notification.permission);

/** Whether the browser can still be asked to tell of ends. */
export const canAskForEndNotices = () => permission() === "default";
/** Whether ends are told while the page is in the background. */
export const hasEndNotices = () => permission() === "granted";
/** Resolves once the person has answered the browser. */
export const askForEndNotices = () => Notification.requestPermission();

/** Tells the end of a task by the browser's own notice, where it is allowed and nobody looks at the page. */
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
