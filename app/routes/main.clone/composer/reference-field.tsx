import { Suspense } from "react";
import { referenceCopy } from "~/copy/recording";
import type { References } from "~/features/reference/reference";
import { Button } from "~/ui/button";
import { Skeleton } from "~/ui/feedback";
import { Icon } from "~/ui/icons/icon";
import { lazyPart } from "~/ui/lazy-part";

const ReferencePanel = lazyPart(async () => ({
  default: (await import("~/features/reference/reference-panel")).ReferencePanel,
}));

interface ReferenceFieldProps {
  /** Upstream path of an earlier recording; "" for none. */
  path: string;
  onReplace(): void;
  value: References;
  onChange(change: Partial<References>): void;
  onPlay(): void;
}

/** An earlier recording that can be replaced, or a new reference. */
export function ReferenceField({ path, onReplace, ...panel }: ReferenceFieldProps) {
  if (!path) {
    return (
      <Suspense fallback={<Skeleton className="h-[188px]" />}>
        <ReferencePanel {...panel} />
      </Suspense>
    );
  }
  return (
    <div className="flex min-h-[68px] items-center justify-between gap-3 rounded bg-wash px-4 py-3">
      <span className="flex items-center gap-2 text-sm">
        <Icon className="shrink-0 text-celadon" name="check" size={18} />
        {referenceCopy.reused}
      </span>
      <Button onClick={onReplace}>{referenceCopy.replace}</Button>
    </div>
  );
}
