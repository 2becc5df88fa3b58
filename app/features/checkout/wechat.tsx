import { type ReactNode, useEffect, useState } from "react";
import { bffPaths, call, callApi, refusalOf } from "~/call";
import { payElsewhereCopy } from "~/copy/account";
import { checkoutCopy } from "~/copy/checkout";
import { sentenceFor } from "~/copy/errors";
import { paths } from "~/paths";
import { useHasCall } from "~/state/capabilities";
import { Button, buttonClass } from "~/ui/button";
import type { WechatState } from "~server/contract/checkout";
import { type PayOrder, wechatMethod } from "~server/contract/checkout";
import type { CheckoutController, CheckoutEvents } from "./checkout-controller";
import { CopyButton } from "./order-numbers";
import type { Payment } from "./pay-code";

const copy = payElsewhereCopy.wechat;

/** Payment pages do not open in WeChat's browser. */
export const isWechatBrowser = (userAgent: string) => /MicroMessenger/i.test(userAgent);

/** Whether this page can pay inside WeChat; null outside, and until it is known. */
export function useWechatState(isInWechat: boolean): WechatState | null {
  const [state, setState] = useState<WechatState | null>(null);
  useEffect(() => {
    if (!isInWechat) return;
    // Without an answer the order is handed over.
    const asked = call<{ state: WechatState }>(bffPaths.wechat, { method: "POST", timeoutMs: 30_000 });
    asked.then(
      ({ state }) => setState(state),
      () => setState("off"),
    );
  }, [isInWechat]);
  return state;
}

interface WechatPayProps {
  payment: Payment;
  state: WechatState | null;
  controller: CheckoutController;
  notify: CheckoutEvents["notify"];
  /** Shown while there is nothing to pay. */
  children: ReactNode;
}

/** On phones inside WeChat: pays by WeChat's own page bridge, or hands the order over to a browser. */
export function WechatPay({ payment, state, controller, notify, children }: WechatPayProps) {
  const { order, method, price, note, problem, isOver } = payment;
  const isOwn = method === wechatMethod;
  if (isOwn && state === "ask") return <AskLink>{checkoutCopy.goPay(method, price)}</AskLink>;
  if (!order || note || problem || isOver) return children;
  if (order.bridge)
    return (
      <BridgeButton controller={controller} notify={notify} parameters={order.bridge}>
        {checkoutCopy.goPay(method, price)}
      </BridgeButton>
    );
  return (
    <>
      {isOwn && state === "failed" && (
        <div className="mt-2.5">
          <p className="text-sm">{copy.denied}</p>
          <AskLink>{copy.again}</AskLink>
        </div>
      )}
      <HandOver key={order.orderId} notify={notify} order={order} />
    </>
  );
}

const look = `${buttonClass({ kind: "primary", size: "large" })} mt-2.5 w-full`;

/** Leaves for WeChat's page, which identifies the payer and leads back; the checkout opens again after that. */
function AskLink({ children }: { children: string }) {
  const [from, setFrom] = useState<string>(paths.subscribe);
  useEffect(() => setFrom(window.location.pathname + window.location.search), []);
  return (
    <a className={look} href={bffPaths.wechatFrom(from)}>
      {children}
    </a>
  );
}

interface BridgeButtonProps extends Pick<WechatPayProps, "controller" | "notify"> {
  parameters: Record<string, string>;
  children: string;
}

function BridgeButton({ parameters, controller, notify, children }: BridgeButtonProps) {
  const [isPaying, setPaying] = useState(false);
  const pay = async () => {
    setPaying(true);
    const outcome = await invokeBridge(parameters);
    setPaying(false);
    // The gateway's word counts, not the page's: the order is polled.
    if (outcome === "ok") return controller.resume();
    if (outcome === "cancel") return notify({ kind: "info", text: copy.cancelled });
    notify({ kind: "error", text: outcome === "absent" ? copy.notInWechat : checkoutCopy.payFailed });
  };
  return (
    <Button className="mt-2.5 w-full" kind="primary" onClick={() => void pay()} pending={isPaying} size="large">
      {children}
    </Button>
  );
}

interface WeixinBridge {
  invoke(name: string, parameters: Record<string, string>, done: (answer: { err_msg?: string }) => void): void;
}

const bridgeWaitMs = 3000;

/** WeChat adds its bridge some time after the page; null in a browser that only calls itself WeChat. */
function findBridge(): Promise<WeixinBridge | null> {
  const read = () => (window as { WeixinJSBridge?: WeixinBridge }).WeixinJSBridge ?? null;
  const found = read();
  if (found) return Promise.resolve(found);
  return new Promise((resolve) => {
    document.addEventListener("WeixinJSBridgeReady", () => resolve(read()), { once: true });
    setTimeout(() => resolve(read()), bridgeWaitMs);
  });
}

async function invokeBridge(parameters: Record<string, string>): Promise<"ok" | "cancel" | "fail" | "absent"> {
  const bridge = await findBridge();
  if (!bridge) return "absent";
  return new Promise((resolve) => {
    bridge.invoke("getBrandWCPayRequest", parameters, ({ err_msg = "" }) => {
      const [, outcome] = /:(ok|cancel)$/.exec(err_msg) ?? [];
      resolve((outcome as "ok" | "cancel" | undefined) ?? "fail");
    });
  });
}

/** Instructions to continue with this page in another browser. */
export function OpenOutside({ copyLabel }: { copyLabel: string }) {
  return (
    <div className="mt-2.5 rounded-card border border-dashed border-edge p-3 text-sm">
      <p className="font-semibold">{copy.title}</p>
      <ol className="mt-1.5 list-decimal pl-5 text-muted">
        {copy.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <CopyButton className="mt-2 w-full" text={() => window.location.href}>
        {copyLabel}
      </CopyButton>
    </div>
  );
}

/** A link that any browser opens without another login, for this order alone. */
function HandOver({ order, notify }: { order: PayOrder } & Pick<WechatPayProps, "notify">) {
  const hasLinks = useHasCall("handoverCreate");
  const [path, setPath] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const ask = async () => {
    setAsking(true);
    try {
      const { token } = await callApi("handoverCreate", { orderId: order.orderId });
      setPath(paths.handover(token));
    } catch (error) {
      notify({ kind: "error", text: sentenceFor(refusalOf(error)) });
    }
    setAsking(false);
  };
  if (!hasLinks) return <OpenOutside copyLabel={copy.copyPage} />;
  return (
    <div className="mt-2.5 rounded-card border border-dashed border-edge p-3 text-sm">
      <p className="font-semibold">{copy.title}</p>
      <p className="mt-1.5 text-muted">{copy.sentence}</p>
      {path === null ? (
        <Button className="mt-2 w-full" kind="primary" onClick={() => void ask()} pending={isAsking}>
          {copy.makeLink}
        </Button>
      ) : (
        <div className="mt-2 grid grid-cols-2 gap-2 tight:grid-cols-1">
          <CopyButton text={() => window.location.origin + path}>{copy.copyLink}</CopyButton>
          <a className={buttonClass()} href={path}>
            {copy.openOutside}
          </a>
        </div>
      )}
    </div>
  );
}
