import { useEffect, useState } from "react";
import { importCopy } from "~/copy/dubbing";
import { joinNames } from "~/copy/format";
import { Button } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";
import { LiveRegion } from "~/ui/visually-hidden";
import type { Importing } from "./use-importing";

/** Most answers come before anybody wonders. */
const wonderMs = 300;
const namesShown = 3;

/** Above the script while one is on its way into it: what is waited for, or what failed, and the two ways on. */
export function ComingBar({ opening, search }: Pick<Importing, "opening" | "search">) {
  const isWaiting = opening !== null || search?.phase === "seeking";
  const isLong = useLong(isWaiting);
  const hasFailed = search?.phase === "failed";
  const words = opening !== null ? importCopy.opening(opening) : search ? searchWords(search) : "";
  const isAgain = search !== null && search.attempt > 1;
  const isShown = hasFailed || (isWaiting && (isLong || isAgain));
  return (
    <>
      <LiveRegion>{isShown && !hasFailed ? words : ""}</LiveRegion>
      {isShown && (
        <div
          className={`sticky top-16 z-10 mb-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border bg-surface px-4 py-2 md:top-[4.5rem] ${hasFailed ? "border-seal" : "border-line"}`}
        >
          {!hasFailed && <Icon className="shrink-0 animate-spin text-muted" name="spinner" size={18} />}
          <p className="min-w-0 flex-1 basis-40 break-words text-sm" role={hasFailed ? "alert" : undefined}>
            {words}
          </p>
          {search && (
            <div className="ml-auto flex gap-2">
              {(hasFailed || isAgain) && (
                <Button kind="primary" onClick={search.retry} pending={!hasFailed}>
                  {importCopy.again}
                </Button>
              )}
              <Button onClick={search.chooseNow}>{importCopy.chooseNow}</Button>
            </div>
          )}
        </div>
      )}
    </>
  );
}

function searchWords({ phase, unknown, lines }: NonNullable<Importing["search"]>) {
  const names = joinNames(unknown.slice(0, namesShown));
  const say = phase === "failed" ? importCopy.notSought : importCopy.seeking;
  return say({ names, count: unknown.length, lines });
}

/** Whether it has been so for longer than an eye blinks. */
function useLong(isSo: boolean) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isSo) return setLong(false);
    const timer = setTimeout(() => setLong(true), wonderMs);
    return () => clearTimeout(timer);
  }, [isSo]);
  return isLong;
}
