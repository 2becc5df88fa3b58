import { useEffect, useState } from "react";
import { importCopy } from "~/copy/dubbing";
import { joinNames } from "~/copy/format";
import { Button } from "~/ui/button";
import { LiveRegion } from "~/ui/feedback";
import { Icon } from "~/ui/icons/icon";
import type { Importing } from "./use-importing";

/** Most searches finish earlier. */
const showAfterMs = 300;
const namesShown = 3;

/** Above the script: the file that is being opened, or the search for roles and the ways to go on. */
export function ImportBar({ openingFile, search }: Pick<Importing, "openingFile" | "search">) {
  const hasFailed = search?.hasFailed ?? false;
  const isWaiting = openingFile !== null || (search !== null && !hasFailed);
  const isDue = useDelayed(isWaiting);
  const text = openingFile !== null ? importCopy.opening(openingFile) : search ? searchText(search) : "";
  const isRetry = search !== null && search.attempt > 1;
  const isShown = hasFailed || (isWaiting && (isDue || isRetry));
  return (
    <>
      <LiveRegion>{isShown && !hasFailed ? text : ""}</LiveRegion>
      {isShown && (
        <div
          className={`sticky top-16 z-10 mb-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border bg-surface px-4 py-2 md:top-[4.5rem] ${hasFailed ? "border-seal" : "border-line"}`}
        >
          {!hasFailed && <Icon className="shrink-0 animate-spin text-muted" name="spinner" size={18} />}
          <p className="min-w-0 flex-1 basis-40 break-words text-sm" role={hasFailed ? "alert" : undefined}>
            {text}
          </p>
          {search && (
            <div className="ml-auto flex gap-2">
              {(hasFailed || isRetry) && (
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

function searchText({ hasFailed, unknown, lines }: NonNullable<Importing["search"]>) {
  const names = joinNames(unknown.slice(0, namesShown));
  const format = hasFailed ? importCopy.notSought : importCopy.seeking;
  return format({ names, count: unknown.length, lines });
}

/** True once `isActive` has lasted `showAfterMs`. */
function useDelayed(isActive: boolean) {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    if (!isActive) return setDue(false);
    const timer = setTimeout(() => setDue(true), showAfterMs);
    return () => clearTimeout(timer);
  }, [isActive]);
  return isDue;
}
