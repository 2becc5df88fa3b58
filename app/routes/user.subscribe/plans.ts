import { planCopy } from "~/copy/pages";
import type { Product } from "~server/contract/calls/payments";

/** 1 member · 2 professional, as in `packageType`. */
export type Tier = 1 | 2;

/** A length of membership that is sold. */
export interface Period {
  /** The package's name, equal in both tiers. */
  name: string;
  label: string;
  /** Against paying monthly: the least of the tiers, so that it holds for each; 0 if unknown. */
  savedPercent: number;
}

export interface Plan {
  product: Product;
  /** What the price is for: 月, 季, 年, otherwise the package's name. */
  unit: string;
  /** Fen. */
  monthlyFen: number;
  /** Fen saved against paying monthly; 0 if unknown. */
  savedFen: number;
}

const memberships = (products: readonly Product[]) => products.filter(({ packageType }) => packageType !== 3);

/** Whole months of a package; 0 if the upstream does not say how long it lasts. */
const monthsOf = ({ days }: Product) => Math.round(days / 30.4);

const unitOf = (product: Product) => planCopy.units.get(monthsOf(product)) ?? product.tagMark;

/** The lengths that are sold, shortest first. Those of unknown length keep the upstream's order. */
export function periodsOf(products: readonly Product[]): Period[] {
  const sorted = memberships(products).sort((a, b) => a.days - b.days);
  return [...new Map(sorted.map((product) => [product.tagMark, product]))].map(([name, product]) => {
    const percents = sorted
      .filter(({ tagMark }) => tagMark === name)
      .map((one) => {
        const saved = savedFenOf(one, products);
        return (100 * saved) / (one.price + saved);
      });
    return { name, label: unitOf(product), savedPercent: Math.round(Math.min(...percents)) };
  });
}

/** A month where one is sold, otherwise the first. */
export const defaultPeriod = (periods: readonly Period[]): string =>
  (periods.find(({ label }) => label === planCopy.units.get(1)) ?? periods[0])?.name ?? "";

/** A tier's package of that period; its last package where it has none of that name, null where it has none. */
export function planOf(products: readonly Product[], tier: Tier, period: string): Plan | null {
  const ofTier = products.filter(({ packageType }) => packageType === tier);
  const product = ofTier.find(({ tagMark }) => tagMark === period) ?? ofTier.at(-1);
  if (!product) return null;
  const monthlyFen = Math.round(product.price / Math.max(1, monthsOf(product)));
  return { product, unit: unitOf(product), monthlyFen, savedFen: savedFenOf(product, products) };
}

/** The upstream's own former price, otherwise as many months at the tier's monthly price. */
function savedFenOf(product: Product, products: readonly Product[]): number {
  const month = products.find((one) => one.packageType === product.packageType && monthsOf(one) === 1);
  const full = product.originalPrice || (month ? month.price * monthsOf(product) : 0);
  return Math.max(0, full - product.price);
}
