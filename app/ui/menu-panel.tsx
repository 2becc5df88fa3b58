import { Content, Item, Portal, Root, Separator, Trigger } from "@radix-ui/react-dropdown-menu";
import { Link } from "@remix-run/react";
import { type ForwardedRef, Fragment, forwardRef, type ReactNode, type RefObject, useLayoutEffect } from "react";

/** An open menu as its panel needs it. */
export interface OpenMenu {
  /** The panel's id. */
  id: string;
  buttonId: string;
  button: RefObject<HTMLButtonElement>;
  /** Opened by a key: the first item gets the focus. */
  isByKeyboard: boolean;
  onClose(): void;
}

interface MenuCardProps {
  menu: OpenMenu;
  align?: "start" | "end";
  className?: string;
  /** Prevent its default to keep the focus off the button. */
  onClosed?: ((event: Event) => void) | undefined;
  children: ReactNode;
}

/**
 * The card of an open menu, with the keyboard support of Radix. Its items are Radix's. At the end of the page's content:
 * a group of lines with `content-visibility` would paint later groups over it.
 */
export function MenuCard({ menu, align = "end", className = "", onClosed, children }: MenuCardProps) {
  const { id, buttonId, button, isByKeyboard, onClose } = menu;
  return (
    <Root modal={false} onOpenChange={(isOpen) => isOpen || onClose()} open>
      <Trigger asChild>
        <PressedButton button={button} />
      </Trigger>
      <Portal container={button.current?.closest<HTMLElement>("[aria-modal]") ?? document.querySelector("main")}>
        <Content
          align={align}
          aria-labelledby={buttonId}
          className={`z-30 min-w-[176px] max-w-[min(320px,calc(100vw-24px))] rounded-card border border-line bg-surface p-1.5 shadow-card ${className}`}
          collisionPadding={{ top: 12, right: 12, bottom: isPhone() ? tabBarPx() : 12, left: 12 }}
          id={id}
          loop
          onCloseAutoFocus={onClosed}
          onFocus={({ target, currentTarget, relatedTarget }) => {
            // Radix has not seen the key that opened the menu.
            const isEntered = target === currentTarget && !currentTarget.contains(relatedTarget);
            if (isByKeyboard && isEntered) currentTarget.querySelector<HTMLElement>(enabledItem)?.focus();
          }}
          sideOffset={6}
        >
          {children}
        </Content>
      </Portal>
    </Root>
  );
}

/** The tab bar of phones with its margin, which covers what is below it: 4.5 rem. */
const tabBarPx = () => 4.5 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
const isPhone = () => window.matchMedia("(max-width: 47.99em)").matches;

const enabledItem = "[role=menuitem]:not([data-disabled])";

/** Renders nothing: makes the page's button the trigger of Radix, the anchor of the card and where the focus returns. */
const PressedButton = forwardRef(
  ({ button }: { button: RefObject<HTMLButtonElement> }, ref: ForwardedRef<HTMLButtonElement>) => {
    useLayoutEffect(() => {
      if (typeof ref === "function") ref(button.current);
    });
    return null;
  },
);

export const menuItemClass =
  "flex min-h-[44px] w-full cursor-pointer select-none items-center justify-between gap-6 rounded px-3 text-sm outline-none data-[disabled]:cursor-not-allowed data-[disabled]:opacity-50 data-[highlighted]:bg-wash";

export interface MenuItem {
  label: string;
  /** Shown at the end of the row. */
  note?: string;
  onSelect?(): void;
  /** A file to download instead of an action. */
  href?: string;
  /** Name of that file where its server does not say it. */
  fileName?: string;
  /** A page to go to instead of an action. */
  to?: string;
  disabled?: boolean;
  isDanger?: boolean;
}

export interface MenuRows {
  /** Null draws a separator. */
  items(): readonly (MenuItem | null)[];
  align?: "start" | "end";
  heading?: string;
  /** Prevent its default to keep the focus off the button. */
  onClosed?(event: Event): void;
}

/** A menu of rows. The default export is for `lazyPart`. */
export default function MenuPanel({ menu, items, align = "end", heading, onClosed }: MenuRows & { menu: OpenMenu }) {
  return (
    <MenuCard
      align={align}
      className="max-h-[var(--radix-dropdown-menu-content-available-height)] overflow-y-auto"
      menu={menu}
      onClosed={onClosed}
    >
      {heading && <p className="px-3 pb-1 pt-2 text-xs text-muted">{heading}</p>}
      {groupsOf(items()).map((group, index) => (
        <Fragment key={group[0]?.label}>
          {index > 0 && <Separator className="my-1 h-px bg-line" />}
          {group.map((item) => (
            <MenuRow item={item} key={item.label} />
          ))}
        </Fragment>
      ))}
    </MenuCard>
  );
}

/** Splits the items at the nulls. */
function groupsOf(items: readonly (MenuItem | null)[]): MenuItem[][] {
  const groups: MenuItem[][] = [[]];
  for (const item of items) {
    if (item) groups.at(-1)?.push(item);
    else groups.push([]);
  }
  return groups.filter(({ length }) => length > 0);
}

function MenuRow({
  item: { label, note, onSelect, href, fileName = "", to, disabled = false, isDanger = false },
}: {
  item: MenuItem;
}) {
  const content = (
    <>
      <span className={isDanger ? "text-seal" : ""}>{label}</span>
      {note && <span className="text-xs text-muted">{note}</span>}
    </>
  );
  const isLink = !disabled && (href ?? to) !== undefined;
  return (
    <Item asChild={isLink} className={menuItemClass} disabled={disabled} onSelect={() => onSelect?.()}>
      {!isLink ? (
        content
      ) : to !== undefined ? (
        <Link to={to}>{content}</Link>
      ) : (
        <a download={fileName} href={href}>
          {content}
        </a>
      )}
    </Item>
  );
}
