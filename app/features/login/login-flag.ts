import { createSavedText, createStore, useStore } from "~/ui/store";
/** Which action needs an account. */
export type LoginReason = "trials-used" | "save-role" | "to-clone" | "to-dub" | "to-buy" | "asked";

interface LoginRequest {
  reason: LoginReason;
  onCancel: (() => void) | undefined;
}

const request = createStore<LoginRequest | null>(null);

/** Opens the login dialog; `onCancel` runs if it is closed without a login. */
export const askToLogIn = (reason: LoginReason, onCancel?: () => void) => request.set({ reason, onCancel });
export const stopAskingToLogIn = () => request.set(null);

/** Closes the dialog without a login. */
export function cancelLogin() {
  request.get()?.onCancel?.();
  request.set(null);
}

/** The reason for the login that is asked for now, null if none is. */
export const useLoginFlag = () => useStore(request, (now) => now?.reason ?? null);

const pendingAction = createSavedText("after-login");

/** Saves the action that needed the account across the reload after a login. */
export const rememberAction = (reason: LoginReason) => void pendingAction.write(reason);

/** The action to continue after a login, once. */
export const takeAction = pendingAction.take;
