import { checkoutCopy } from "~/copy/checkout";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { Icon } from "~/ui/icons/icon";

export function Success({ onClose }: { onClose(): void }) {
  const { title, text, done } = checkoutCopy.success;
  return (
    <Dialog closeLabel={checkoutCopy.close} description={text} onClose={onClose} title={title}>
      <div className="mt-6 grid justify-items-center gap-6">
        <span className="grid h-16 w-16 place-items-center rounded-full bg-celadon text-on-celadon">
          <Icon name="check" size={32} />
        </span>
        <Button className="w-full" kind="primary" onClick={onClose} size="large">
          {done}
        </Button>
      </div>
    </Dialog>
  );
}
