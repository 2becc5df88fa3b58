import { Suspense, useCallback, useEffect, useId, useRef, useState } from "react";
import { maskPhone } from "~/copy/format";
import { siteCopy } from "~/copy/site";
import { buttonClass } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";
import { lazyDialog } from "~/ui/lazy-part";
import type { ActionContext } from "./account-actions";
import { useAccount } from "./provider";

const AccountPanel = lazyDialog(() => import("./account-panel"));

/**
 * The header's account button; its panel loads with the first press. The button is not lazy: React gives up hydrating a
 * lazy part (its error 421) when a context above it changes in an urgent update, as a press of the colour mode does.
 */
export function AccountMenu(context: ActionContext) {
  const { account } = useAccount();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  // The panel holds the focus and is removed.
  const close = useCallback(() => {
    setOpen(false);
    button.current?.focus();
  }, []);

  useEffect(() => {
    if (!isOpen) return;
    const closeIfOutside = ({ target }: Event) => {
      if (target instanceof Node && !box.current?.contains(target)) setOpen(false);
    };
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return;
      close();
    };
    document.addEventListener("pointerdown", closeIfOutside);
    document.addEventListener("focusin", closeIfOutside);
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("pointerdown", closeIfOutside);
      document.removeEventListener("focusin", closeIfOutside);
      document.removeEventListener("keydown", onKey);
    };
  }, [isOpen, close]);

  return (
    <div className="relative" ref={box}>
      <button
        aria-controls={isOpen ? id : undefined}
        aria-expanded={isOpen}
        aria-label={`${siteCopy.account} ${maskPhone(account.phone)}`}
        className={`${buttonClass()} max-md:w-11 max-md:px-0`}
        onClick={() => setOpen(!isOpen)}
        ref={button}
        type="button"
      >
        <Icon className={account.isSvip ? "text-gold" : ""} name="person" />
        <span className="tabular hidden md:inline">{maskPhone(account.phone)}</span>
      </button>
      {isOpen && (
        <div className="absolute right-0 top-full mt-2" id={id}>
          <Suspense fallback={null}>
            <AccountPanel context={context} onClose={close} />
          </Suspense>
        </div>
      )}
    </div>
  );
}
