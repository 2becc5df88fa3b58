import { Suspense, useState } from "react";
import { posterCopy as words } from "~/copy/share";
import { Button } from "~/ui/button";
import { Seal } from "~/ui/icons/icon";
import { lazyDialog } from "~/ui/lazy-part";
import { QrPicture } from "~/ui/qr-picture";
import type { Poster } from "./poster-dialog";

const PosterDialog = lazyDialog(() => import("./poster-dialog"));

/** How a public page is passed on: its code for a phone's camera, where the screen is not a phone's, and a poster. */
export function PassOn({ qr, ...page }: Omit<Poster, "qr"> & { qr: Poster["qr"] | null }) {
  const [isOpen, setOpen] = useState(false);
  if (!qr) return null;
  return (
    <div className="flex flex-wrap items-center gap-4 border-t border-line pt-4">
      <QrPicture className="hidden h-24 w-24 shrink-0 border border-line md:block" label={words.qr} qr={qr} />
      <div className="grid justify-items-start gap-2">
        <p className="hidden items-center gap-2 text-sm text-muted md:flex">
          <Seal size={20} />
          {words.scan}
        </p>
        <Button className="needs-scripts" onClick={() => setOpen(true)}>
          {words.open}
        </Button>
      </div>
      {isOpen && (
        <Suspense>
          <PosterDialog onClose={() => setOpen(false)} poster={{ ...page, qr }} />
        </Suspense>
      )}
    </div>
  );
}
