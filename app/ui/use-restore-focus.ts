import { type RefObject, useEffect, useRef } from "react";

/** When the focused button gives way to another one, the keyboard goes on from there instead of the top of the page. */
export function useKeptFocus<Element extends HTMLElement>(): RefObject<Element> {
  const container = useRef<Element>(null);
  useEffect(() => {
    const element = container.current;
    if (!element) return;
    let isInside = false;
    const follow = ({ target }: FocusEvent) => {
      isInside = target instanceof Node && element.contains(target);
    };
    const observer = new MutationObserver(() => {
      if (isInside && document.activeElement === document.body) element.querySelector("button")?.focus();
    });
    document.addEventListener("focusin", follow);
    observer.observe(element, { childList: true, subtree: true });
    return () => {
      document.removeEventListener("focusin", follow);
      observer.disconnect();
    };
  }, []);
  return container;
}
