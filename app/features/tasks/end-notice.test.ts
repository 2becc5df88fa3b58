import { afterEach, expect, test, vi } from "vitest";
import { endNoticeCopy } from "~/copy/dubbing-dialogs";

import { tellTaskEnd } from "./end-notice";

const event = {
  ...{ kind: "dub", taskId: "1", status: 2, progress: 1, segDone: 1, segTotal: 1, queuePos: 0, msg: "" },
} as Parameters<typeof tellTaskEnd>[0];

function openPage({ hidden, permission }: { hidden: boolean; permission: NotificationPermission }) {
  const shown: string[] = [];
  class BrowserNotice {
    static permission = permission;
    constructor(title: string) {
      shown.push(title);
    }
  }
  vi.stubGlobal("Notification", BrowserNotice);
  vi.stubGlobal("document", { hidden });
  vi.stubGlobal("navigator", {});
  return shown;
}

afterEach(() => vi.unstubAllGlobals());

test("an end is told while the page is in the background and the browser allows it", async () => {
  const shown = openPage({ hidden: true, permission: "granted" });
  await tellTaskEnd(event);
  await tellTaskEnd({ ...event, kind: "video", status: 3, msg: "synthesis-failed" });
  expect(shown).toEqual([endNoticeCopy.title("dub", true), endNoticeCopy.title("video", false)]);
});

test("no notice is shown on a visible page, without permission, after a cancellation, or before the end", async () => {
  const seen = openPage({ hidden: false, permission: "granted" });
  await tellTaskEnd(event);
  const silent = openPage({ hidden: true, permission: "default" });
  await tellTaskEnd(event);
  const cancelled = openPage({ hidden: true, permission: "granted" });
  await tellTaskEnd({ ...event, status: 3, msg: "cancelled" });
  await tellTaskEnd({ ...event, status: 1 });
  expect([...seen, ...silent, ...cancelled]).toEqual([]);
});
