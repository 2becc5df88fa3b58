import { formatYuan } from "~/copy/format";
import { subscribePageCopy } from "~/copy/pages";
import { askToBuy } from "~/features/checkout/buy-flag";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { VisuallyHidden } from "~/ui/feedback";
import { Icon } from "~/ui/icons/icon";
import type { Product } from "~server/contract/calls/payments";

function Cell({ value }: { value: string | boolean }) {
  if (typeof value === "string") return <span className="tabular">{value}</span>;
  return (
    <span className={value ? "text-celadon" : "text-muted"}>
      <Icon className="inline" name={value ? "check" : "close"} />
      <VisuallyHidden>{value ? subscribePageCopy.yes : subscribePageCopy.no}</VisuallyHidden>
    </span>
  );
}

const cell = "px-3 py-3.5 text-left align-top font-normal tight:break-all tight:px-1 md:px-6";

/** Compares the tiers. */
export function BenefitsTable() {
  return (
    <Card className="overflow-hidden">
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{subscribePageCopy.caption}</caption>
        <thead>
          <tr className="border-b border-line bg-wash">
            <th className={`${cell} text-muted`} scope="col">
              {subscribePageCopy.benefit}
            </th>
            <th className={`${cell} whitespace-nowrap font-song tight:whitespace-normal`} scope="col">
              {subscribePageCopy.normal}
            </th>
            <th className={`${cell} whitespace-nowrap font-song tight:whitespace-normal text-gold`} scope="col">
              {subscribePageCopy.professional}
            </th>
          </tr>
        </thead>
        <tbody>
          {subscribePageCopy.rows.map((row) => (
            <tr className="border-b border-line last:border-0" key={row.benefit}>
              <th className={`${cell} text-muted`} scope="row">
                {row.benefit}
              </th>
              <td className={`${cell} whitespace-nowrap tight:whitespace-normal`}>
                <Cell value={row.normal} />
              </td>
              <td className={`${cell} whitespace-nowrap tight:whitespace-normal`}>
                <Cell value={row.professional} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

const types = [2, 1, 3] as const;

/** One button per kind of package; the dialog opens with the last of that kind. Visitors log in first. */
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
