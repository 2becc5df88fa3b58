import { useEffect, useRef } from "react";
import { useAccount } from "~/features/account/provider";
import { readDraft, writeDraft } from "~/features/draft/draft";
import { askToLogIn, takeAction } from "~/features/login/login-flag";

interface Actions {
  make(): void;
  listen(ids: readonly string[]): void;
}

interface Pressed {
  name: keyof Actions;
  ids: readonly string[];
}

const storageKey = "dubbing-pressed";

/** Asks for the login; the press that needed it goes on by itself once the page is back. `flush` keeps the script first. */
export function useAfterLogin(actions: Actions, flush: () => Promise<void>) {
  const { account } = useAccount();
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    if (!account.isLogin || takeAction() !== "to-dub") return;
    const { name, ids = [] } = readDraft<Pressed>(storageKey) ?? {};
    if (name === "make") latest.current.make();
    if (name === "listen") latest.current.listen(ids);
  }, [account.isLogin]);
  return (name: keyof Actions, ids: readonly string[], reason: "to-dub" | "asked" = "to-dub") => {
    writeDraft(storageKey, { name, ids } satisfies Pressed);
    void flush();
    askToLogIn(reason);
  };
}
