import { Content, Description, Portal, Root, Title } from "@radix-ui/react-dialog";
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useState } from "react";
import { useBackToClose } from "./back-to-close";
import { IconButton } from "./button";
import { Icon } from "./icons/icon";

interface DialogProps {
  title: string;
  /** One sentence under the title, read out with it. */
  description?: string | undefined;
  closeLabel: string;
  /** Escape, Back, the cross, a press beside the dialog. */
  onClose(): void;
  /** `narrow` for a form or a question, `medium` for a text to read, `tall` for a list, `wide` for a screen: 1000 × 710 px, on phones up to 500 × 420. */
  width?: "narrow" | "medium" | "tall" | "wide";
  /** A question that interrupts: a press beside it does not answer, and there is no cross. */
  isAlert?: boolean;
  children: ReactNode;
}

const widths = {
  narrow: "max-h-[92dvh] bg-surface px-5 pb-[calc(1.5rem+env(safe-area-inset-bottom))] pt-6 md:max-w-[440px] md:p-8",
  medium: "max-h-[92dvh] bg-surface px-5 pb-[calc(1.5rem+env(safe-area-inset-bottom))] pt-6 md:max-w-[560px] md:p-8",
  tall: "flex h-[88dvh] flex-col bg-surface px-5 pb-[env(safe-area-inset-bottom)] pt-6 md:h-[min(680px,92dvh)] md:max-w-[560px] md:px-8 md:pt-8",
  wide: "max-h-[min(420px,92dvh)] max-w-[500px] bg-paper px-5 pb-[calc(0.5rem+env(safe-area-inset-bottom))] pt-1.5 md:h-[710px] md:max-h-full md:max-w-[1000px] md:px-8 md:py-5",
};

/**
 * A modal dialog: a card in the middle of the screen, on phones a sheet from below. It is open while mounted; the first
 * field or button inside gets the focus, and when it goes the focus returns to where it was. Import it lazily: the
 * pages' own JavaScript stays without it. Only the root decides which one shows, so there is one at a time.
 */
export function Dialog({ onClose, ...rest }: DialogProps) {
  useBackToClose(onClose);
  const [waysBack] = useState(() => waysBackFrom(document.activeElement));
  return (
    <Root onOpenChange={onClose} open>
      {/* Without a container it renders its children in a synchronous second pass: a task of 45 ms, not slices of 5. */}
      <Portal container={document.body}>
        <div className="dialog-backdrop fixed inset-0 z-40" />
        <div
          className={`dialog-layer ${rest.width === "wide" ? "is-wide" : ""} fixed inset-0 z-50 flex items-end justify-center md:items-center md:p-6`}
        >
          <Panel onClose={onClose} waysBack={waysBack} {...rest} />
        </div>
      </Portal>
    </Root>
  );
}

interface PanelProps extends DialogProps {
  waysBack: readonly Element[];
}

function Panel({ title, description, closeLabel, onClose, width = "narrow", isAlert, waysBack, children }: PanelProps) {
  useScrollLock();
  return (
    <Content
      {...(description ? {} : { "aria-describedby": undefined })}
      className={`dialog-panel relative w-full overflow-y-auto overscroll-contain rounded-t-card border border-line shadow-card outline-none md:rounded-card ${widths[width]}`}
      onCloseAutoFocus={(event) => {
        event.preventDefault();
        returnFocus(waysBack);
      }}
      onOpenAutoFocus={(event) => {
        event.preventDefault();
        const panel = event.currentTarget as HTMLElement;
        inNextTask(() => focusFirst(panel));
      }}
      onPointerDownOutside={(event) => {
        if (isAlert || isNotice(event.target)) event.preventDefault();
      }}
      aria-modal="true"
      ref={(panel) => void (panel && known.set(panel, waysBack))}
      role={isAlert ? "alertdialog" : "dialog"}
    >
      <Title className="pr-10 font-song text-xl font-semibold">{title}</Title>
      {description && (
        <Description className={`text-muted ${width === "wide" ? "pr-10 text-xs" : "mt-2 text-sm"}`}>
          {description}
        </Description>
      )}
      {children}
      {!isAlert && (
        <div className={`absolute right-3 md:right-5 ${width === "wide" ? "top-1 md:top-4" : "top-4 md:top-6"}`}>
          <IconButton label={closeLabel} onClick={onClose}>
            <Icon name="close" />
          </IconButton>
        </div>
      )}
    </Content>
  );
}

/** Ways back by dialog: a dialog that replaces another returns to where the first was opened. */
const known = new WeakMap<Element, readonly Element[]>();

/** The focused element and the button that opened the menu around it: a menu closes when its dialog opens. */
function waysBackFrom(active: Element | null): readonly Element[] {
  if (!active || active === document.body) return [];
  const replaced = active.closest("[role=dialog], [role=alertdialog]");
  if (replaced) return known.get(replaced) ?? [];
  const menu = active.closest("[id]:not(main)");
  // Every element of the document is asked: not without a menu.
  const opener = menu && document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`);
  return opener ? [active, opener] : [active];
}

/**
 * The opener may be gone by now; the last resort is the page's content, not the address bar. If another dialog has
 * replaced this one, the focus is there already.
 */
function returnFocus(waysBack: readonly Element[]) {
  if (document.querySelector("[aria-modal=true]")) return;
  const target = waysBack.find(({ isConnected }) => isConnected) ?? document.querySelector("main");
  if (target instanceof HTMLElement) target.focus({ preventScroll: true });
}

/**
 * Runs a function in a task of its own, before the next frame if the browser can. A focus needs the dialog's layout: with
 * 500 lines behind it and a quarter of the speed, the task that opens it went from 60 to 34 ms.
 */
function inNextTask(act: () => void) {
  const { scheduler } = window as { scheduler?: { postTask(act: () => void, options: object): unknown } };
  if (scheduler) scheduler.postTask(act, { priority: "user-blocking" });
  else setTimeout(act);
}

/** Focuses the first field or button that takes the focus, and no link, else the panel. */
function focusFirst(panel: HTMLElement) {
  for (const control of panel.querySelectorAll<HTMLElement>("button, input, select, textarea, [tabindex]")) {
    if (control.tabIndex >= 0) control.focus({ preventScroll: true });
    if (document.activeElement === control) return control instanceof HTMLInputElement && control.select();
  }
  panel.focus({ preventScroll: true });
}

/** Toasts are above the dialog and are dismissed by a press, which must not close the dialog. */
const isNotice = (target: EventTarget | null) => target instanceof Element && target.closest("[aria-live]") !== null;

/** Holds the page still while mounted. The scrollbar's room is kept, so that nothing moves sideways. */
function useScrollLock() {
  // Read before the dialog is in the document: reading in the effect would force its layout within the opening task.
  const [barWidth] = useState(() => window.innerWidth - document.documentElement.clientWidth);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const { overflow, scrollbarGutter, paddingRight } = style;
    style.overflow = "hidden";
    if (barWidth > 0) {
      if (CSS.supports("scrollbar-gutter", "stable")) style.scrollbarGutter = "stable";
      else style.paddingRight = `${barWidth}px`;
    }
    return () => {
      Object.assign(style, { overflow, scrollbarGutter, paddingRight });
    };
  }, [barWidth]);
}

interface TabsProps<Value extends number | string> {
  label: string;
  value: Value;
  tabs: readonly { value: Value; label: ReactNode }[];
  onChange(value: Value): void;
  /** Content of the chosen tab. */
  children: ReactNode;
  className?: string;
}

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

/** A row of tabs over one panel; arrows go from tab to tab. */
export function Tabs<Value extends number | string>(props: TabsProps<Value>) {
  const { label, value, tabs, onChange, children, className = "" } = props;
  const id = useId();
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = steps[event.key];
    const at = tabs.findIndex((tab) => tab.value === value);
    const next = step && tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onChange(next.value);
    document.getElementById(`${id}-${next.value}`)?.focus();
  };
  return (
    <>
      <div
        aria-label={label}
        className={`flex gap-1.5 tight:flex-wrap ${className}`}
        onKeyDown={onKeyDown}
        role="tablist"
        tabIndex={-1}
      >
        {tabs.map((tab) => (
          <button
            aria-controls={tab.value === value ? `${id}-panel` : undefined}
            aria-selected={tab.value === value}
            className="min-h-[44px] whitespace-nowrap rounded-full px-3 text-sm text-muted transition-colors hover:text-ink aria-selected:bg-ink aria-selected:text-paper md:px-5"
            id={`${id}-${tab.value}`}
            key={tab.value}
            onClick={() => onChange(tab.value)}
            role="tab"
            tabIndex={tab.value === value ? 0 : -1}
            type="button"
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div aria-labelledby={`${id}-${value}`} id={`${id}-panel`} role="tabpanel">
        {children}
      </div>
    </>
  );
}
