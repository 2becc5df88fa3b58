import { type ButtonHTMLAttributes, type ReactNode, Suspense, useId, useRef, useState } from "react";
import { lazyDialog } from "./lazy-part";
import type { MenuRows, OpenMenu } from "./menu-panel";

interface MenuButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  panel(menu: OpenMenu): ReactNode;
  onOpen?(): void;
}

/**
 * A button that opens a menu. Radix is in the panel alone, which loads later and is mounted while open: each of its roots
 * listens to every key of the document and after one to the pointer too, 90 ms for one pointer event with 500 lines at a
 * quarter of a laptop's speed; and its code is 30 kB of scripts.
 */
export function MenuButton({ panel, onOpen, ...rest }: MenuButtonProps) {
  const [opened, setOpened] = useState<"keyboard" | "pointer" | null>(null);
  const wasOpen = useRef(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const buttonId = `${id}button`;
  const open = (by: "keyboard" | "pointer") => {
    onOpen?.();
    setOpened(by);
  };
  return (
    <>
      <button
        aria-controls={opened ? id : undefined}
        aria-expanded={opened !== null}
        aria-haspopup="menu"
        id={buttonId}
        onClick={({ detail }) => {
          // The press on the button has closed the menu already, as a press outside of it.
          if (wasOpen.current) setOpened(null);
          else open(detail === 0 ? "keyboard" : "pointer");
          wasOpen.current = false;
        }}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          open("keyboard");
        }}
        onPointerDown={() => {
          wasOpen.current = opened !== null;
        }}
        ref={button}
        type="button"
        {...rest}
      />
      {opened && (
        <Suspense>
          {panel({ id, buttonId, button, isByKeyboard: opened === "keyboard", onClose: () => setOpened(null) })}
        </Suspense>
      )}
    </>
  );
}

/** The keys of a menu's item, as its note; a touch screen has no such keys. */
export const keyNote = (keys: string) => (window.matchMedia("(hover: hover)").matches ? keys : undefined);

const MenuRowsPanel = lazyDialog(
  () => import("./menu-panel"),
  ({ menu }) => menu.onClose(),
);

/** A button and its menu of rows. */
export function Menu({ items, align, heading, onClosed, ...rest }: MenuRows & ButtonHTMLAttributes<HTMLButtonElement>) {
  const rows = { items, ...(align && { align }), ...(heading && { heading }), ...(onClosed && { onClosed }) };
  return <MenuButton panel={(menu) => <MenuRowsPanel menu={menu} {...rows} />} {...rest} />;
}
