import { checkoutCopy } from "~/copy/checkout";
import { errorSentences, sentenceFor } from "~/copy/errors";
import { track } from "~/state/analytics-events";
import type { BuyRequest } from "~/state/dialog-requests";
import { createStore } from "~/ui/store";
import { type PayMethod, usualPayMethod } from "~server/contract/checkout";
import type { PayClient } from "./checkout-client";
import {
  advance,
  chosenProduct,
  currentKey,
  currentOrder,
  type Flow,
  type FlowEvent,
  isExpired,
  startFlow,
} from "./flow";
import { type CheckoutContext, createOrderRequests, createPolling } from "./order-requests";
import type { SavedCheckout } from "./saved-checkout";

interface ControllerParts extends CheckoutEvents {
  client: PayClient;
  isPhone(): boolean;
  isInWechat?(): boolean;
  /** The page is visible and this browser can pay by the method. */
  canShowCode(method: PayMethod): boolean;
  saved: SavedCheckout | null;
  save(saved: SavedCheckout): void;
  /** The dialogs are closed. */
  onClosed(): void;
}

export type CheckoutController = ReturnType<typeof createCheckoutController>;

/** Specification section 9. */
const thanksLastMs = 15_000;
/** A dialog that closes sooner creates no order. */
export const seenAfterMs = 600;

/**
 * Runs the checkout: fetches packages, creates orders, polls their status. Nothing runs before `open` and after `stop`;
 * both may be called again.
 */
export function createCheckoutController(parts: ControllerParts) {
  const { client, notify, isPhone } = parts;
  const { store, flow, dispatch } = createState(parts);
  let isOpen = false;
  const isPressAllowed = createPressLimiter(Date.now);
  const notifyError = (text: string) => notify({ kind: "error", text });
  const running: CheckoutContext = { client, isOpen: () => isOpen, flow, dispatch };
  const polling = createPolling(running);
  let isSeen = false;
  let firstOrderTimer: ReturnType<typeof setTimeout> | undefined;
  const orderRequests = createOrderRequests({
    ...{ ...running, isPhone, isPressAllowed, notifyError },
    isInWechat: () => parts.isInWechat?.() ?? false,
    canShowCode: () => isSeen && parts.canShowCode(flow().method),
    onOrder: polling.plan,
  });
  const createFirstOrder = () => {
    isSeen = true;
    void orderRequests.ensureOrder();
  };
  const choose = (event: FlowEvent) => {
    isSeen = true;
    dispatch(event);
    void orderRequests.ensureOrder();
  };
  return {
    store,
    /** Opens the dialog, or another package in it. An existing order is polled at once, a new one created after 600 ms. */
    open(packageId: string | null, method?: PayMethod, packageType?: BuyRequest["packageType"]) {
      isOpen = true;
      dispatch({ type: "reopened", packageId, method, packageType });
      void polling.ask();
      void (flow().products ? orderRequests.ensureOrder() : orderRequests.fetchProducts());
      clearTimeout(firstOrderTimer);
      firstOrderTimer = setTimeout(createFirstOrder, seenAfterMs);
    },
    stop() {
      isOpen = false;
      isSeen = false;
      clearTimeout(firstOrderTimer);
      polling.stop();
      orderRequests.stop();
    },
    fetchProducts: () => void orderRequests.fetchProducts(),
    choosePackage: (packageId: string) => choose({ type: "package-chosen", packageId }),
    chooseMethod: (method: PayMethod) => choose({ type: "method-chosen", method }),
    /** Creates the order again after it expired or failed; goes to the memberships where one is needed first. */
    refreshOrder() {
      const key = currentKey(flow());
      const { failed } = flow();
      if (failed?.needsTier && failed.key === key) choose({ type: "reopened", packageId: null, packageType: "tier" });
      else if (key) choose({ type: "order-dropped", key });
      else notifyError(checkoutCopy.choosePackage);
    },
    /** After a return to the tab: polls at once, without a notice. */
    resume() {
      dispatch({ type: "polling-resumed" });
      void polling.ask();
      void orderRequests.renewLink();
      if (!currentOrder(flow()) && !flow().failed) void orderRequests.ensureOrder();
    },
    /** The payer asks whether the payment has arrived. */
    async checkPayment() {
      if (!flow().watch) return notifyError(checkoutCopy.choosePackage);
      if (!isPressAllowed()) return notifyError(errorSentences["too-many"]);
      dispatch({ type: "polling-resumed" });
      const result = await polling.ask();
      if (typeof result === "object") return result && isOpen && notifyError(sentenceFor(result));
      if (result !== "success") notify({ kind: "info", text: checkoutCopy.notYetPaid });
    },
    close: () => dispatch({ type: "closed" }),
    stay: () => choose({ type: "stayed" }),
    leave: () => dispatch({ type: "left" }),
  };
}

/** The flow's store. Saves what a reload needs and notifies the page when the view changes. */
function createState(parts: ControllerParts) {
  const store = createStore<Flow>(startFlow(startOf(parts)));
  return {
    store,
    flow: store.get,
    dispatch(event: FlowEvent) {
      const before = store.get();
      const flow = advance(before, event);
      if (flow === before) return;
      const { view, packageId, method, orders } = flow;
      const paid = view === "success" ? flow.paid : null;
      parts.save({ isOpen: view === "paying" || view === "retention", packageId, method, orders, paid });
      store.set(flow);
      if (view === before.view) return;
      if (view === "success") track("paid", { package: chosenProduct(flow)?.pCode ?? "" });
      if (view === "success") parts.notify({ kind: "success", text: checkoutCopy.thanks, lasts: thanksLastMs });
      if (view === "success" || view === "closed") parts.onUserChanged();
      if (view === "closed") parts.onClosed();
    },
  };
}

function startOf({ saved, isPhone }: ControllerParts) {
  const method = usualPayMethod(isPhone());
  if (!saved) return { method };
  if (saved.paid)
    return { method: saved.method, packageId: saved.packageId, paid: saved.paid, view: "success" as const };
  // Expired codes are not shown again; a payment made with one shows in the account's state.
  const orders = Object.fromEntries(Object.entries(saved.orders).filter(([, order]) => !isExpired(order, Date.now())));
  return saved.isOpen ? { method: saved.method, packageId: saved.packageId, orders } : { method, orders };
}

const windowMs = 10_000;
const maxPresses = 8;

/** Builds a limiter that returns false above 8 presses in 10 seconds. */
function createPressLimiter(now: () => number) {
  let presses: number[] = [];
  return () => {
    const at = now();
    presses = presses.filter((earlier) => at - earlier < windowMs);
    if (presses.length >= maxPresses) return false;
    presses.push(at);
    return true;
  };
}

/** The account that buys; expiries are Unix seconds. */
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

/** Events that the checkout reports to the page around it. */
export interface CheckoutEvents {
  notify(notice: Notice): void;
  /** Paid or closed: the account's state may be stale. */
  onUserChanged(): void;
}
