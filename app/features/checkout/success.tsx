import { checkoutCopy } from "~/copy/checkout";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { Seal } from "~/ui/seal";
import type { PaidNumbers } from "./flow";
import { OrderNumbers } from "./order-numbers";

export function Success({ paid, onClose }: { paid: PaidNumbers | null; onClose(): void }) {
  const { title, text, done } = checkoutCopy.success;
  return (
    <Dialog closeLabel={checkoutCopy.close} description={text} onClose={onClose} title={title}>
      <div className="mt-6 grid justify-items-center gap-6">
        <span className="-rotate-6">
          <Seal size={72} />
        </span>
        {paid && (
          <div className="w-full">
            <OrderNumbers {...paid} />
          </div>
        )}
        <Button className="w-full" kind="primary" onClick={onClose} size="large">
          {done}
        </Button>
      </div>
    </Dialog>
  );
}
