import { Suspense, useState } from "react";
import { useHasCall } from "~/state/capabilities";
import { lazyDialog } from "~/ui/lazy-part";

const ShareDialog = lazyDialog(async () => ({ default: (await import("./share-dialog")).ShareDialog }));

interface ShareButtonProps {
  kind: "clone" | "dub" | "trial" | "video";
  /** The result's task id. */
  id: string;
  className: string;
  label?: string;
  children: string;
}

/** Opens the dialog that makes a finished result public; renders nothing if the upstream has no public pages. */
export function ShareButton({ kind, id, label, className, children }: ShareButtonProps) {
  const [isOpen, setOpen] = useState(false);
  if (!useHasCall("shareCreate")) return null;
  return (
    <>
      <button aria-label={label} className={className} onClick={() => setOpen(true)} type="button">
        {children}
      </button>
      {isOpen && <SharePanel id={id} kind={kind} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The dialog of `ShareButton`, for a place with a control of its own. */
export function SharePanel(props: Pick<ShareButtonProps, "kind" | "id"> & { onClose(): void }) {
  return (
    <Suspense fallback={null}>
      <ShareDialog {...props} />
    </Suspense>
  );
}
