import { otherTabCopy } from "~/copy/dubbing";
import { Button } from "~/ui/button";
import type { useKeptDraft } from "./use-draft-sync";

/** Two pages have changed one script: nothing is written over until somebody chooses. */
export function TabConflict({ kept }: { kept: ReturnType<typeof useKeptDraft> }) {
  return (
    <div className="mb-3 flex flex-wrap items-center gap-3 rounded border border-seal px-4 py-2" role="alert">
      <p className="flex-1 text-sm">{otherTabCopy.conflict}</p>
      <Button onClick={() => void kept.adopt()}>{otherTabCopy.theirs}</Button>
      <Button onClick={() => void kept.insist()}>{otherTabCopy.mine}</Button>
    </div>
  );
}
