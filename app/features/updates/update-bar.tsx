import { useEffect, useState } from "react";
import { updatesCopy as words } from "~/copy/site";
import { Button } from "~/ui/button";
import { NoticeBar } from "~/ui/notice-bar";
import { watchBuild } from "./watch-build";

/** Offers the new build once there is one; the choice when to take it is the reader's. */
export function UpdateBar({ buildId, intervalMs }: { buildId: string; intervalMs: number }) {
  // A page that is not reloaded stays of the build it came with, whatever the root's loader says later.
  const [own] = useState(buildId);
  const [isNew, setNew] = useState(false);
  useEffect(
    () => (own ? watchBuild({ buildId: own, intervalMs, onNew: () => setNew(true) }) : undefined),
    [own, intervalMs],
  );
  if (!isNew) return null;
  return (
    <NoticeBar label={words.label} text={words.text}>
      <Button kind="quiet" onClick={() => setNew(false)}>
        {words.later}
      </Button>
      <Button kind="primary" onClick={() => window.location.reload()}>
        {words.reload}
      </Button>
    </NoticeBar>
  );
}
