import { Link } from "@remix-run/react";
import { type ReactNode, useState } from "react";
import { formatYuan } from "~/copy/format";
import { monthsNamed, planCopy, subscribePageCopy } from "~/copy/subscribe";
import { paths } from "~/paths";
import { useHasCall } from "~/state/capabilities";
import { askToBuy } from "~/state/dialog-requests";
import { Button, buttonClass } from "~/ui/button";
import { Card } from "~/ui/card";
import { RadioGroup } from "~/ui/fields";
import type { Product } from "~server/contract/calls/payments";

interface PlanCardsProps {
  products: readonly Product[];
  /** The tiers that have not expired. */
  active: readonly Tier[];
}

/** The plans side by side, at the price of the chosen period, and the add-on pack below. */
export function PlanCards({ products, active }: PlanCardsProps) {
  const periods = periodsOf(products);
  const [period, setPeriod] = useState(defaultPeriod(periods));
  const pack = products.findLast(({ packageType }) => packageType === 3);
  const hasSteps = useHasCall("stepStart");
  const { name, note, go, benefits, roles } = planCopy.free;
  return (
    <>
      {periods.length > 1 && (
        <div className="mb-5">
          <RadioGroup
            label={planCopy.period}
            onChange={setPeriod}
            options={periods.map(({ name, savedPercent }) => ({
              value: name,
              label: (
                <span>
                  {name}
                  {savedPercent > 0 && (
                    <small className="tabular ml-1.5 text-seal">{planCopy.savedPercent(savedPercent)}</small>
                  )}
                </span>
              ),
            }))}
            value={period}
          />
        </div>
      )}
      <ul className={`grid grid-cols-1 gap-5 ${active.length > 0 ? "md:grid-cols-2" : "md:grid-cols-3"}`}>
        {active.length === 0 && (
          <PlanCard benefits={hasSteps ? [...benefits, roles] : benefits} name={name} note={note} price={0}>
            <Link className={`${buttonClass()} w-full`} to={paths.home}>
              {go}
            </Link>
          </PlanCard>
        )}
        {tiersFor(active).map((tier) => (
          <MemberCard
            isActive={active.includes(tier)}
            isMain={tier === (active.length > 0 ? tiersFor(active)[0] : 2)}
            key={tier}
            period={period}
            products={products}
            tier={tier}
          />
        ))}
      </ul>
      {pack && (
        <Card className="mt-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5 md:px-6">
          <p className="min-w-0 flex-1 basis-72 text-sm">
            <span className="tabular mr-3 font-song text-xl font-semibold">{formatYuan(pack.price)}</span>
            {subscribePageCopy.pack(hasSteps)}
          </p>
          <Button className="w-full sm:w-auto" onClick={() => askToBuy({ packageId: pack.pCount })}>
            {subscribePageCopy.buy[3]}
          </Button>
        </Card>
      )}
    </>
  );
}

/** What a member has stands first, the professional one before the normal one. */
export const tiersFor = (active: readonly Tier[]): Tier[] => (active.includes(2) ? [2, 1] : [1, 2]);

interface MemberCardProps {
  products: readonly Product[];
  tier: Tier;
  period: string;
  isActive: boolean;
  /** Its button is the one that stands out. */
  isMain: boolean;
}

/** A membership with its buy button, which opens the pay dialog on the shown package; visitors log in first. */
function MemberCard({ products, tier, period, isActive, isMain }: MemberCardProps) {
  const plan = planOf(products, tier, period);
  if (!plan) return null;
  const { product, unit, monthlyFen, savedFen } = plan;
  return (
    <PlanCard
      badge={tier === 2 ? product.cornerMark || planCopy.recommended : ""}
      benefits={planCopy.benefits[tier]}
      name={planCopy.names[tier]}
      note={savedFen > 0 ? planCopy.saved(monthlyFen, savedFen) : product.discountMark}
      price={product.price}
      unit={unit}
    >
      <Button
        className="w-full"
        kind={isMain ? "primary" : "outline"}
        onClick={() => askToBuy({ packageId: product.pCount })}
      >
        {isActive ? planCopy.renew[tier] : subscribePageCopy.buy[tier]}
      </Button>
    </PlanCard>
  );
}

interface PlanCardProps {
  name: string;
  price: number;
  unit?: string;
  /** The line under the price. */
  note: string;
  benefits: readonly string[];
  /** Marks the recommended card. */
  badge?: string;
  children: ReactNode;
}

function PlanCard({ name, price, unit = "", note, benefits, badge = "", children }: PlanCardProps) {
  const [yuan = "", fen = ""] = formatYuan(price).split(".");
  return (
    <li
      className={`relative flex flex-col rounded bg-surface p-5 md:p-6 ${badge ? "border-2 border-seal" : "border border-line"}`}
    >
      {badge && (
        <span className="absolute right-5 top-0 rounded-b bg-seal px-3 py-0.5 text-xs text-on-seal">{badge}</span>
      )}
      <h2 className={`font-song text-xl font-semibold ${badge ? "text-gold" : ""}`}>{name}</h2>
      <p className="mt-3 font-song text-4xl font-semibold leading-tight tight:text-2xl">
        <span className="tabular">{yuan}</span>
        {price > 0 && <span className="tabular text-xl tight:text-base">{`.${fen}`}</span>}
        {unit && <span className="ml-2 font-sans text-sm font-normal text-muted">{`/ ${unit}`}</span>}
      </p>
      <p className="tabular mt-0.5 min-h-[1.5em] text-sm text-muted">{note}</p>
      <ul className="mb-6 mt-4 grid gap-2.5 text-sm">
        {benefits.map((benefit) => (
          <li className="flex gap-2.5" key={benefit}>
            <span aria-hidden="true" className="mt-2 h-2 w-2 shrink-0 rounded-[2px] bg-celadon" />
            {benefit}
          </li>
        ))}
      </ul>
      <div className="mt-auto">{children}</div>
    </li>
  );
}

/** 1 member · 2 professional, as in `packageType`. */
export type Tier = 1 | 2;

const memberships = (products: readonly Product[]) => products.filter(({ packageType }) => packageType !== 3);

/** Whole months of a package; 0 if the upstream does not say how long it lasts. */
const monthsOf = ({ days }: Product) => Math.round(days / 30.4);

/** The unit after the price: a month, quarter or year, by its days or by its name, otherwise the name. */
const unitOf = (product: Product) => planCopy.units.get(monthsOf(product) || monthsNamed(product)) ?? product.tagMark;

/** Each membership's period, equal in both tiers: its unit, or its own name where the tier has another of that unit. */
function periodNames(products: readonly Product[]): Map<Product, string> {
  const taken = new Set<string>();
  const named = memberships(products).map((product) => {
    const { packageType, tagMark, price } = product;
    const isFree = (name: string) => !taken.has(packageType + name);
    const name = [unitOf(product), tagMark].find(isFree) ?? `${tagMark} ${formatYuan(price)}`;
    taken.add(packageType + name);
    return [product, name] as const;
  });
  return new Map(named);
}

/**
 * The periods, shortest first; those of unknown length keep the upstream's order. `savedPercent` is saved against paying
 * monthly: the least of the tiers; 0 if unknown.
 */
export function periodsOf(products: readonly Product[]) {
  const names = periodNames(products);
  const sorted = memberships(products).sort((a, b) => a.days - b.days || monthsNamed(a) - monthsNamed(b));
  return [...new Set(sorted.map((product) => names.get(product) ?? ""))].map((name) => {
    const ofName = sorted.filter((one) => names.get(one) === name);
    const shares = ofName.map((one) => 1 - one.price / (one.price + savedFenOf(one, products)));
    return { name, savedPercent: Math.round(100 * Math.min(...shares)) };
  });
}

/** A month where one is sold, otherwise the first. */
export const defaultPeriod = (periods: ReturnType<typeof periodsOf>): string =>
  (periods.find(({ name }) => name === planCopy.units.get(1)) ?? periods[0])?.name ?? "";

/** A tier's package of that period, its last one where it has none, with the fen saved against paying monthly (0: unknown). */
export function planOf(products: readonly Product[], tier: Tier, period: string) {
  const names = periodNames(products);
  const ofTier = products.filter(({ packageType }) => packageType === tier);
  const product = ofTier.find((one) => names.get(one) === period) ?? ofTier.at(-1);
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
