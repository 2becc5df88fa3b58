import { useEffect, useRef } from "react";
import { createSavedText, createStore, owned, useStore } from "~/ui/store";
import type { Product } from "~server/contract/calls/payments";
import type { PayMethod } from "~server/contract/checkout";
import type { EntitlementReason } from "~server/contract/codes";

/** Options that the pay dialog opens with. */
export interface BuyRequest {
  /** `pCount` of a product; the dialog chooses if absent. */
  packageId?: string | undefined;
  /** Package type of the pressed button, `tier` for either membership; the last package of it is selected. */
  packageType?: Product["packageType"] | "tier" | undefined;
  /** The payer's own choice if absent. */
  method?: PayMethod | undefined;
  /** The generation that the account could not pay for, which continues after the payment. */
  resumes?: PendingAction | undefined;
}

const buyRequest = createStore<BuyRequest | null>(null);

/** Opens the pay dialog. */
export const askToBuy = (next: BuyRequest = {}) => buyRequest.set(next);
/** Opens the pay dialog for a refusal's reason if there is one: on the packs if the month's characters are used up, else on a tier. */
export const askToBuyFor = (reason: EntitlementReason | null, resumes?: PendingAction) =>
  reason && askToBuy({ resumes, packageType: reason === "quota" ? 3 : "tier" });
export const stopBuying = () => buyRequest.set(null);
/** The open request to buy, null if there is none. */
export const useBuyRequest = () => useStore(buyRequest);

/** Action that needs an account. */
export type LoginReason = "trials-used" | "save-role" | "to-clone" | "to-dub" | "to-buy" | "asked";

const loginRequest = createStore<{ reason: LoginReason; onCancel: (() => void) | undefined } | null>(null);

/** Opens the login dialog; `onCancel` runs if it is closed without a login. */
export const askToLogIn = (reason: LoginReason, onCancel?: () => void) => loginRequest.set({ reason, onCancel });
export const stopAskingToLogIn = () => loginRequest.set(null);

/** Closes the login dialog without a login. */
export function cancelLogin() {
  loginRequest.get()?.onCancel?.();
  loginRequest.set(null);
}

/** The reason for the login that is asked for now, null if none is. */
export const useLoginReason = () => useStore(loginRequest, (now) => now?.reason ?? null);

/** Action of a page that a login or a payment interrupts. */
export type PendingAction = LoginReason | "clone-again";

const pendingAction = createSavedText(owned("after-login"));
const resumes = createStore(0);

/** Saves the action that needed the account across the reload after a login. */
export const rememberAction = (action: PendingAction) => void pendingAction.write(action);
/** The action to continue after a login, once. */
export const takeAction = pendingAction.take;
/** Continues the action on the page that is open. */
export function resumeAction(action: PendingAction): void {
  rememberAction(action);
  resumes.set(resumes.get() + 1);
}

/** Runs the action that needed the account once the page is ready: after a login or a payment. */
export function usePendingAction(isReady: boolean, actions: Partial<Record<PendingAction, () => void>>): void {
  const asked = useStore(resumes);
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    if (isReady && asked >= 0) latest.current[takeAction() as PendingAction]?.();
  }, [isReady, asked]);
}

/** Texts of the confirm dialog; each has a default. */
export interface ConfirmQuestion {
  title?: string;
  text?: string;
  confirm?: string;
  cancel?: string;
}

interface OpenQuestion extends ConfirmQuestion {
  answer(isConfirmed: boolean): void;
}

const question = createStore<OpenQuestion | null>(null);

/** Opens the confirm dialog. A question that another one replaces resolves to false. */
export function askToConfirm(texts: ConfirmQuestion = {}): Promise<boolean> {
  question.get()?.answer(false);
  return new Promise((resolve) => {
    const answer = (isConfirmed: boolean) => {
      question.set(null);
      resolve(isConfirmed);
    };
    question.set({ ...texts, answer });
  });
}

/** Answers the open question with no. */
export const cancelQuestion = () => question.get()?.answer(false);
/** The open question; null without one. */
export const useQuestion = () => useStore(question);

/** A finished sound that a film can be made of. */
export interface FilmSource {
  kind: "clone" | "dub" | "preview";
  id: string;
  title: string;
  /** The first words of the caption. */
  text: string;
  /** In the order of their first lines; a person may be named again. */
  people: readonly { roleId: string; avatar: string; portrait: unknown }[];
}
export type FilmPerson = FilmSource["people"][number];

const filmSource = createStore<FilmSource | null>(null);

/** Opens the film dialog. */
export const askForFilm = (from: FilmSource) => filmSource.set(from);
export const closeFilm = () => filmSource.set(null);
/** The sound of the open film dialog; null without one. */
export const useFilmSource = () => useStore(filmSource);

const isMarkOpen = createStore(false);

/** Opens the dialog with the setting for the audible mark. */
export const openMark = () => isMarkOpen.set(true);
export const closeMark = () => isMarkOpen.set(false);
export const useIsMarkOpen = () => useStore(isMarkOpen);
