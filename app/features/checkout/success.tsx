import { checkoutCopy } from "~/copy/checkout";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { Seal } from "~/ui/seal";

export function Success({ onClose }: { onClose(): void }) {
  const { title, text, done } = checkoutCopy.success;
  return (
    <Dialog closeLabel={checkoutCopy.close} description={text} onClose={onClose} title={title}>
      <div className="mt-6 grid justify-items-center gap-6">
        <span className="-rotate-6">
          <Seal size={72} />
        </span>
        <Button className="w-full" kind="primary" onClick={onClose} size="large">
          {done}
        </Button>
      </div>
    </Dialog>
  );
}
