import { useId } from "react";
import { checkoutCopy } from "~/copy/checkout";
import { type Product } from "~server/contract/calls/payments";
import { Price } from "./price";

interface PackagesProps {
  products: readonly Product[];
  chosen: Product;
  onChoose(packageId: string): void;
}

/** Radio inputs that look like cards, so arrows, Tab and screen readers work by themselves. The shortest comes first. */
export function Packages({ products, chosen, onChoose }: PackagesProps) {
  const name = useId();
  return (
    <fieldset className="m-0 mt-2 min-w-0 border-0 p-0 md:mt-4">
      <legend className="sr-only">{checkoutCopy.packages}</legend>
      <div className="grid grid-cols-3 gap-2 md:gap-3.5">
        {byLength(products).map((product) => (
          <label
            className="relative cursor-pointer rounded border border-line bg-surface p-2.5 transition-colors hover:border-edge has-[:checked]:border-seal has-[:checked]:ring-1 has-[:checked]:ring-inset has-[:checked]:ring-seal has-[:focus-visible]:outline has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-seal only:col-span-3 md:rounded-card md:p-4 md:only:col-span-1"
            key={product.pCount}
          >
            <input
              checked={product.pCount === chosen.pCount}
              className="absolute inset-0 cursor-pointer appearance-none rounded-card outline-none"
              name={name}
              onChange={() => onChoose(product.pCount)}
              type="radio"
              value={product.pCount}
            />
            <span className="block text-sm font-semibold md:text-base">{product.tagMark}</span>
            {product.cornerMark && (
              <span className="absolute -top-px right-1.5 rounded-b bg-seal px-1.5 py-0.5 text-tab text-on-seal md:right-3.5 md:px-2.5 md:text-xs">
                {product.cornerMark}
              </span>
            )}
            <Price className="my-0.5 block text-xl md:mt-2 md:text-3xl" fen={product.price} />
            <span className="block text-tab text-muted md:text-xs">{product.discountMark}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const byLength = (products: readonly Product[]) => [...products].sort((a, b) => a.days - b.days || a.price - b.price);
