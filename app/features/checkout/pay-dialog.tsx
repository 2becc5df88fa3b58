import { type ReactNode, useEffect, useRef } from "react";
import { accountCopy, formatExpiry, maskPhone } from "~/copy/account";
import { checkoutCopy } from "~/copy/checkout";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { Notice } from "~/ui/empty-state";
import { Skeleton } from "~/ui/progress-bar";
import { Tabs } from "~/ui/tabs";
import type { Product } from "~server/contract/calls/pay";
import type { Desk } from "./desk";
import { chosenProduct, type Flow } from "./flow";
import { Packages } from "./packages";
import { PayPanel } from "./pay-panel";
import type { CheckoutEvents, Payer } from "./payer";
import { isWechatBrowser, OpenOutside } from "./wechat-browser";

interface PayDialogProps {
  flow: Flow;
  desk: Desk;
  payer: Payer;
  isMobile: boolean;
  tell: CheckoutEvents["tell"];
}

export function PayDialog(props: PayDialogProps) {
  const { flow, desk, payer } = props;
  return (
    <Dialog
      closeLabel={checkoutCopy.close}
      description={aboutPayer(payer)}
      onClose={desk.close}
      title={checkoutCopy.title}
      width="wide"
    >
      {flow.products ? <Choice {...props} products={flow.products} /> : <Waiting desk={desk} flow={flow} />}
    </Dialog>
  );
}

function Choice({ products, ...props }: PayDialogProps & { products: readonly Product[] }) {
  const { flow, desk } = props;
  const chosen = chosenProduct(flow);
  if (!chosen) return <Notice isBare sentence={checkoutCopy.empty} />;
  const ofType = (type: Product["packageType"]) => products.filter((product) => product.packageType === type);
  const types = ([1, 2, 3] as const).filter((type) => ofType(type).length > 0);
  const chooseType = (type: Product["packageType"]) => {
    const last = ofType(type).at(-1);
    if (last && type !== chosen.packageType) desk.choosePackage(last.pCount);
  };
  return (
    <Focused>
      <Tabs
        className="mt-1 md:mt-3"
        label={checkoutCopy.tabsLabel}
        onChange={chooseType}
        tabs={types.map((type) => ({ value: type, label: checkoutCopy.tabs[type] }))}
        value={chosen.packageType}
      >
        <Packages chosen={chosen} onChoose={desk.choosePackage} products={ofType(chosen.packageType)} />
        <div className="mt-2.5 grid gap-7 md:mt-5 md:grid-cols-[minmax(0,1fr)_320px]">
          <Benefits product={chosen} />
          {props.isMobile && isWechatBrowser() ? <OpenOutside /> : <PayPanel {...props} product={chosen} />}
        </div>
      </Tabs>
    </Focused>
  );
}

/** While the packages were on their way the dialog had nothing but its cross to give the focus to. */
function Focused({ children }: { children: ReactNode }) {
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (content.current?.contains(document.activeElement)) return;
    content.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus({ preventScroll: true });
  }, []);
  return <div ref={content}>{children}</div>;
}

function Benefits({ product: { packageType, usedChar } }: { product: Product }) {
  return (
    <div className="hidden md:block">
      <h3 className="text-sm font-semibold">{checkoutCopy.contains[packageType]}</h3>
      <ul className="mt-3 grid gap-2.5 text-sm">
        {checkoutCopy.benefits[packageType].map((benefit) => (
          <li className="flex gap-2.5" key={benefit}>
            <span aria-hidden="true" className="mt-2 h-2 w-2 shrink-0 rounded-[2px] bg-gold" />
            {benefit}
          </li>
        ))}
      </ul>
      <p className="tabular mt-5 text-xs text-muted">{checkoutCopy.used(usedChar)}</p>
    </div>
  );
}

function Waiting({ flow, desk }: Pick<PayDialogProps, "flow" | "desk">) {
  if (flow.hasProductsFailed)
    return (
      <Notice isBare role="alert" sentence={checkoutCopy.productsFailed}>
        <Button onClick={desk.fetchProducts}>{checkoutCopy.retry}</Button>
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

/** The phone, the tier that is in use, and what becomes of the days that are left. */
function aboutPayer({ phone, vipExpire, svipExpire }: Payer): string {
  const now = Date.now() / 1000;
  const tier = svipExpire > now ? "svip" : vipExpire > now ? "vip" : null;
  if (!tier) return `${maskPhone(phone)} · ${checkoutCopy.noMembership}`;
  const left = formatExpiry(tier === "svip" ? svipExpire : vipExpire, now) ?? "";
  const name = accountCopy.tiers[tier];
  return `${maskPhone(phone)} · ${name}${left}${tier === "vip" ? `，${checkoutCopy.pushedOut}` : ""}`;
}
