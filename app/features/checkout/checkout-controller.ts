import { checkoutCopy } from "~/copy/checkout";
import { errorSentences } from "~/copy/errors";
import { track } from "~/track";
import type { PayMethod } from "~server/contract/checkout";
import type { PayClient } from "./checkout-client";
import { advance, chosenProduct, type Flow, type FlowEvent, isExpired, keyNow, orderNow, startFlow } from "./flow";
import { createOrdering, createPolling, type Running } from "./order-requests";
import type { Kept } from "./saved-checkout";

interface DeskParts extends CheckoutEvents {
  client: PayClient;
  isPhone(): boolean;
  /** The page is in sight, and payments can be made in this browser. */
  canShowCode(): boolean;
  kept: Kept | null;
  keep(kept: Omit<Kept, "owner">): void;
  /** Nothing is shown any more. */
  onClosed(): void;
}

export type Desk = ReturnType<typeof createDesk>;

/** Specification section 9. */
const thanksLastMs = 15_000;
/** A dialog that is closed sooner was never read: it makes no order. */
export const seenAfterMs = 600;

/**
 * Runs the flow: fetches packages, makes orders, asks for results. Nothing runs before `open` and after `stop`; both may
 * be called again.
 */
export function createDesk(parts: DeskParts) {
  const { client, tell, isPhone } = parts;
  const { flow, happen, subscribe } = createState(parts);
  let isOpen = false;
  const mayPress = createPace(Date.now);
  const sayError = (text: string) => tell({ kind: "error", text });
  const leaveToLogIn = () => {
    if (!isOpen) return;
    happen({ type: "left" });
    parts.onLoginExpired();
  };
  const running: Running = { client, isOpen: () => isOpen, flow, happen, leaveToLogIn };
  const polling = createPolling(running);
  let isSeen = false;
  let seeing: ReturnType<typeof setTimeout> | undefined;
  const canShowCode = () => isSeen && parts.canShowCode();
  const ordering = createOrdering({ ...running, isPhone, canShowCode, mayPress, sayError, onOrder: polling.plan });
  const markSeen = () => {
    isSeen = true;
    void ordering.needOrder();
  };
  const choose = (event: FlowEvent) => {
    isSeen = true;
    happen(event);
    void ordering.needOrder();
  };
  return {
    subscribe,
    now: flow,
    /**
     * Opens, or opens again at another package. What was ordered before is asked about at once; what was not is ordered
     * once the dialog has been seen.
     */
    open(packageId: string | null, method?: PayMethod) {
      isOpen = true;
      happen({ type: "reopened", packageId, method });
      void polling.ask();
      void (flow().products ? ordering.needOrder() : ordering.fetchProducts());
      clearTimeout(seeing);
      seeing = setTimeout(markSeen, seenAfterMs);
    },
    stop() {
      isOpen = false;
      isSeen = false;
      clearTimeout(seeing);
      polling.stop();
      ordering.stop();
    },
    fetchProducts: () => void ordering.fetchProducts(),
    choosePackage: (packageId: string) => choose({ type: "package-chosen", packageId }),
    chooseMethod: (method: PayMethod) => choose({ type: "method-chosen", method }),
    /** A fresh code in the place of one that is over or could not be had. */
    refreshOrder() {
      const key = keyNow(flow());
      if (key) choose({ type: "order-dropped", key });
      else sayError(checkoutCopy.choosePackage);
    },
    /** Coming back to the tab: asks at once, says nothing. */
    lookAgain() {
      happen({ type: "asked-again" });
      void polling.ask();
      void ordering.renewLink();
      if (!orderNow(flow()) && !flow().failed) void ordering.needOrder();
    },
    /** 我已付款，查询一下 */
    async askByHand() {
      if (!flow().watch) return sayError(checkoutCopy.choosePackage);
      if (!mayPress()) return sayError(errorSentences["too-many"]);
      happen({ type: "asked-again" });
      const said = await polling.ask();
      if (said === "waiting") tell({ kind: "info", text: checkoutCopy.notYetPaid });
      if (said === "failed" && isOpen) sayError(errorSentences.network);
    },
    close: () => happen({ type: "closed" }),
    stay: () => choose({ type: "stayed" }),
    leave: () => happen({ type: "left" }),
  };
}

/** The flow as it is now, what a reload needs of it, and what the page is told when another dialog shows. */
function createState(parts: DeskParts) {
  let flow = startFlow(startOf(parts));
  const watchers = new Set<() => void>();
  return {
    flow: (): Flow => flow,
    happen(event: FlowEvent) {
      const before = flow;
      flow = advance(flow, event);
      if (flow === before) return;
      const { view, packageId, method, orders } = flow;
      parts.keep({ isOpen: view === "paying" || view === "retention", packageId, method, orders });
      for (const watch of watchers) watch();
      if (view === before.view) return;
      if (view === "success") track("paid", { package: chosenProduct(flow)?.pCode ?? "" });
      if (view === "success") parts.tell({ kind: "success", text: checkoutCopy.thanks, lasts: thanksLastMs });
      if (view === "success" || view === "closed") parts.onUserChanged();
      if (view === "closed") parts.onClosed();
    },
    subscribe(watch: () => void) {
      watchers.add(watch);
      return () => {
        watchers.delete(watch);
      };
    },
  };
}

function startOf({ kept, isPhone }: DeskParts) {
  const method: PayMethod = isPhone() ? 2 : 1;
  if (!kept) return { method };
  // A code that ran out is not shown again; what was paid with it shows in the user's info.
  const orders = Object.fromEntries(Object.entries(kept.orders).filter(([, order]) => !isExpired(order, Date.now())));
  return kept.isOpen ? { method: kept.method, packageId: kept.packageId, orders } : { method, orders };
}

const windowMs = 10_000;
const mostInWindow = 8;

/** Answers false for whoever presses faster than anybody can read. */
export function createPace(now: () => number) {
  let pressed: number[] = [];
  return () => {
    const at = now();
    pressed = pressed.filter((earlier) => at - earlier < windowMs);
    if (pressed.length >= mostInWindow) return false;
    pressed.push(at);
    return true;
  };
}

/** Who buys; expiries are Unix seconds. */
export interface Payer {
  phone: string;
  vipExpire: number;
  svipExpire: number;
}

export interface Notice {
  kind: "success" | "error" | "info";
  text: string;
  /** Milliseconds. */
  lasts?: number;
}

/** What the checkout tells the page around it. */
export interface CheckoutEvents {
  tell(notice: Notice): void;
  /** Paid, or closed for real: what is known of the user may be old. */
  onUserChanged(): void;
  onLoginExpired(): void;
}
