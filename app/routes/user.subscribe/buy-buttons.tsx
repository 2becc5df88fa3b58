import { formatYuan } from "~/copy/format";
import { subscribePageCopy } from "~/copy/pages";
import { askToBuy } from "~/features/checkout/buy-flag";
import { Button } from "~/ui/button";
import type { Product } from "~server/contract/calls/pay";

const types = [2, 1, 3] as const;

/** One for each kind of package; the dialog opens on the last of that kind. Visitors are asked to log in first. */
export function BuyButtons({ products }: { products: readonly Product[] }) {
  if (products.length === 0) return <p className="mt-6 text-sm text-muted">{subscribePageCopy.noProducts}</p>;
  return (
    <ul className="mt-6 flex flex-wrap gap-3">
      {types.map((type) => {
        const ofType = products.filter((product) => product.packageType === type);
        const last = ofType.at(-1);
        if (!last) return null;
        const from = formatYuan(Math.min(...ofType.map(({ price }) => price)));
        return (
          <li className="flex-1 sm:flex-none" key={type}>
            <Button
              className="w-full"
              kind={type === 2 ? "primary" : "outline"}
              onClick={() => askToBuy({ packageId: last.pCount })}
            >
              {subscribePageCopy.buy[type]}
              <span className="tabular text-xs">{subscribePageCopy.from(from)}</span>
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
