import { checkoutCopy } from "~/copy/checkout";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";

/** Asked once, when the pay dialog is closed for the first time. */
export function Retention({ onStay, onLeave }: { onStay(): void; onLeave(): void }) {
  const { title, text, stay, leave } = checkoutCopy.retention;
  return (
    <Dialog closeLabel={checkoutCopy.close} description={text} isAlert onClose={onLeave} title={title}>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button className="flex-1 md:flex-none" onClick={onLeave}>
          {leave}
        </Button>
        <Button className="flex-1 md:flex-none" kind="primary" onClick={onStay}>
          {stay}
        </Button>
      </div>
    </Dialog>
  );
}
