import { type ReactNode, useEffect, useId, useRef } from "react";
import { accountCopy, formatExpiry } from "~/copy/account";
import { checkoutCopy } from "~/copy/checkout";
import { maskPhone } from "~/copy/format";
import { Button } from "~/ui/button";
import { Notice } from "~/ui/card";
import { Dialog, Tabs } from "~/ui/dialog";
import { Skeleton } from "~/ui/feedback";
import type { Product } from "~server/contract/calls/payments";
import type { WechatState } from "~server/contract/checkout";
import type { CheckoutController, CheckoutEvents, Payer } from "./checkout-controller";
import { chosenProduct, type Flow } from "./flow";
import { type Payment, Price } from "./pay-code";
import { PayPanel, Runs } from "./pay-panel";
import { isWechatBrowser, WechatPay } from "./wechat";

interface PayDialogProps {
  flow: Flow;
  wechatState: WechatState | null;
  controller: CheckoutController;
  payer: Payer;
  isMobile: boolean;
  notify: CheckoutEvents["notify"];
}

export function PayDialog(props: PayDialogProps) {
  const { flow, controller, payer } = props;
  return (
    <Dialog
      closeLabel={checkoutCopy.close}
      description={aboutPayer(payer)}
      onClose={controller.close}
      title={checkoutCopy.title}
      width="wide"
    >
      {flow.products ? <Choice {...props} products={flow.products} /> : <Waiting controller={controller} flow={flow} />}
    </Dialog>
  );
}

const packagesInRow = 3;
/** On phones: keeps the payment in sight while a long list of packages scrolls. */
const belowLongList =
  "sticky -bottom-2 z-10 -mx-5 border-t border-line bg-paper px-5 pb-2 pt-2.5 md:bottom-auto md:mx-0 md:border-0 md:p-0";

function Choice({ products, ...props }: PayDialogProps & { products: readonly Product[] }) {
  const { flow, controller, notify } = props;
  const chosen = chosenProduct(flow);
  if (!chosen) return <Notice isBare sentence={checkoutCopy.empty} />;
  const ofType = (type: Product["packageType"]) => products.filter((product) => product.packageType === type);
  const shown = ofType(chosen.packageType);
  const isLong = shown.length > packagesInRow;
  const types = ([1, 2, 3] as const).filter((type) => ofType(type).length > 0);
  const chooseType = (type: Product["packageType"]) => {
    const last = ofType(type).at(-1);
    if (last && type !== chosen.packageType) controller.choosePackage(last.pCount);
  };
  const showInWechat = (payment: Payment, otherwise: ReactNode) => (
    <WechatPay {...{ payment, controller, notify }} state={props.wechatState}>
      {otherwise}
    </WechatPay>
  );
  return (
    <Focused>
      <Tabs
        className="md:mt-3"
        label={checkoutCopy.tabsLabel}
        onChange={chooseType}
        tabs={types.map((type) => ({ value: type, label: checkoutCopy.tabs[type] }))}
        value={chosen.packageType}
      >
        <div className="flex flex-col md:grid md:grid-cols-[minmax(0,1fr)_320px] md:grid-rows-[auto_1fr] md:items-start md:gap-x-7 md:gap-y-4">
          <Packages chosen={chosen} key={chosen.packageType} onChoose={controller.choosePackage} products={shown} />
          <Benefits payer={props.payer} product={chosen} />
          <Runs className="mt-1 md:hidden" payer={props.payer} product={chosen} />
          <div
            className={`mt-2.5 md:sticky md:top-0 md:col-start-2 md:row-span-2 md:row-start-1 md:mt-0 md:pt-4 ${isLong ? belowLongList : ""}`}
          >
            <PayPanel
              {...props}
              product={chosen}
              showInWechat={isWechatBrowser(navigator.userAgent) ? showInWechat : null}
            />
          </div>
        </div>
      </Tabs>
    </Focused>
  );
}

/** Moves the focus to the tabs: while the packages loaded, only the close button could have it. */
function Focused({ children }: { children: ReactNode }) {
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (content.current?.contains(document.activeElement)) return;
    content.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus({ preventScroll: true });
  }, []);
  return <div ref={content}>{children}</div>;
}

/** Beside the payment; on phones below it, which stays in sight. */
function Benefits({ product, payer }: { product: Product; payer: Payer }) {
  const { packageType, usedChar, packChar } = product;
  // How long a pack lasts is not known of another upstream's.
  const known = packageType === 3 && packChar === 0 ? 1 : undefined;
  return (
    <div className="order-last mt-3 rounded-card border border-line bg-surface p-4 md:order-none md:mt-0 md:px-5">
      <h3 className="font-semibold">{checkoutCopy.contains[packageType]}</h3>
      <ul className="mt-3 grid gap-3 text-sm md:text-base">
        {checkoutCopy.benefits[packageType].slice(0, known).map((benefit) => (
          <li className="flex gap-2.5" key={benefit}>
            <span aria-hidden="true" className="mt-2 h-2 w-2 shrink-0 rounded-[2px] bg-gold" />
            {benefit}
          </li>
        ))}
      </ul>
      <Runs className="mt-5 hidden md:block" payer={payer} product={product} />
      <p className="tabular mt-1 hidden text-xs text-muted md:block">{checkoutCopy.used(usedChar)}</p>
    </div>
  );
}

function Waiting({ flow, controller }: Pick<PayDialogProps, "flow" | "controller">) {
  if (flow.productsFault)
    return (
      <Notice isBare role="alert" sentence={checkoutCopy.productsFailed(flow.productsFault)}>
        <Button onClick={controller.fetchProducts}>{checkoutCopy.retry}</Button>
      </Notice>
    );
  return (
    <div className="mt-4" role="status">
      <span className="sr-only">{checkoutCopy.loading}</span>
      <Skeleton className="h-11 w-64" />
      <div className="mt-4 grid grid-cols-3 gap-2 md:gap-3.5">
        <Skeleton className="h-24 md:h-32" />
        <Skeleton className="h-24 md:h-32" />
        <Skeleton className="h-24 md:h-32" />
      </div>
      <Skeleton className="mt-4 h-12 md:ml-auto md:h-80 md:w-80" />
    </div>
  );
}

/** The phone and the active tier with its remaining days. */
function aboutPayer({ phone, vipExpire, svipExpire }: Payer): string {
  const now = Date.now() / 1000;
  const tier = svipExpire > now ? "svip" : vipExpire > now ? "vip" : null;
  if (!tier) return `${maskPhone(phone)} · ${checkoutCopy.noMembership}`;
  const left = formatExpiry(tier === "svip" ? svipExpire : vipExpire, now) ?? "";
  const name = accountCopy.tiers[tier];
  return `${maskPhone(phone)} · ${name}${left}`;
}

interface PackagesProps {
  products: readonly Product[];
  chosen: Product;
  onChoose(packageId: string): void;
}

/** Radio inputs styled as cards, shortest package first. */
export function Packages({ products, chosen, onChoose }: PackagesProps) {
  const name = useId();
  const isLong = products.length > packagesInRow;
  const list = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    list.current?.querySelector(":checked")?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <fieldset className="m-0 mt-1 min-w-0 border-0 p-0 md:mt-4" ref={list}>
      <legend className="sr-only">{checkoutCopy.packages}</legend>
      <div
        className={`grid tight:grid-cols-1 ${isLong ? "grid-cols-2 gap-1.5" : "grid-cols-3 gap-2"} md:grid-cols-2 md:gap-3.5 lg:grid-cols-3`}
      >
        {byLength(products).map((product) => (
          <label
            className={`relative cursor-pointer rounded border border-line bg-surface px-2.5 ${isLong ? "py-1" : "py-2.5"} transition-colors hover:border-edge has-[:checked]:border-seal has-[:checked]:[box-shadow:inset_0_0_0_1px_var(--seal)] has-[:focus-visible]:outline has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-seal only:col-span-full md:rounded-card md:p-3 md:only:col-span-1 lg:p-4`}
            key={product.pCount}
          >
            <input
              checked={product.pCount === chosen.pCount}
              className="absolute inset-0 cursor-pointer scroll-mb-48 appearance-none rounded-card outline-none md:scroll-mb-4"
              name={name}
              onChange={() => onChoose(product.pCount)}
              type="radio"
              value={product.pCount}
            />
            <span className={isLong ? "flex items-baseline justify-between gap-x-2 md:block" : ""}>
              <span className="block whitespace-nowrap text-sm font-semibold md:text-base">{product.tagMark}</span>
              <Price className="my-0.5 block text-xl md:mt-2 md:text-2xl lg:text-3xl" fen={product.price} />
            </span>
            {product.cornerMark && (
              <span
                className={`absolute right-1.5 bg-seal px-1.5 py-0.5 text-tab text-on-seal md:right-3.5 md:px-2.5 md:text-xs ${isLong ? "bottom-1 rounded md:-top-px md:bottom-auto md:rounded-t-none" : "-top-px rounded-b"}`}
              >
                {product.cornerMark}
              </span>
            )}
            <span className="block text-tab text-muted md:text-xs">{product.discountMark}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const byLength = (products: readonly Product[]) => [...products].sort((a, b) => a.days - b.days || a.price - b.price);
