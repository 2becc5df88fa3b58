import { Content, Item, Portal, Root, Separator, Trigger } from "@radix-ui/react-dropdown-menu";
import { Fragment, type ReactNode } from "react";
import { IconFrame } from "~/ui/icons/icon";

const shapes = {
  grip: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01",
  more: "M6 12h.01M12 12h.01M18 12h.01",
  undo: "M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6v1",
  redo: "m15 7 5 5-5 5M20 12H10a6 6 0 0 0-6 6v1",
  plus: "M12 5v14M5 12h14",
  down: "m6 9 6 6 6-6",
} as const;

/** The editor's icons. Decorative: they need a label beside them. */
export function Glyph({ name, size = 20 }: { name: keyof typeof shapes; size?: number }) {
  const isDots = name === "grip" || name === "more";
  return (
    <IconFrame size={size} strokeWidth={isDots ? 2.4 : undefined}>
      <path d={shapes[name]} />
    </IconFrame>
  );
}

export interface MenuItem {
  label: string;
  /** Shown at the end of the row. */
  note?: string;
  onSelect?(): void;
  /** A file to download instead of an action. */
  href?: string;
  disabled?: boolean;
  isDanger?: boolean;
}

interface MenuProps {
  trigger: ReactNode;
  /** Null draws a separator. */
  items: readonly (MenuItem | null)[];
  align?: "start" | "end";
  heading?: string;
  /** Prevent its default to keep the focus off the trigger. */
  onClosed?(event: Event): void;
}

const itemClass =
  "flex min-h-[44px] w-full cursor-pointer select-none items-center justify-between gap-6 rounded px-3 text-sm outline-none data-[disabled]:cursor-not-allowed data-[disabled]:opacity-50 data-[highlighted]:bg-wash";

/** A button and its menu, with the keyboard support of Radix. */
export function Menu({ trigger, items, align = "end", heading, onClosed }: MenuProps) {
  return (
    <Root modal={false}>
      <Trigger asChild>{trigger}</Trigger>
      <Portal>
        <Content
          align={align}
          className="z-30 max-h-[var(--radix-dropdown-menu-content-available-height)] min-w-[176px] max-w-[min(320px,calc(100vw-24px))] overflow-y-auto rounded-card border border-line bg-surface p-1.5 shadow-card"
          collisionPadding={12}
          onCloseAutoFocus={onClosed}
          sideOffset={6}
        >
          {heading && <p className="px-3 pb-1 pt-2 text-xs text-muted">{heading}</p>}
          {groupsOf(items).map((group, index) => (
            <Fragment key={group[0]?.label}>
              {index > 0 && <Separator className="my-1 h-px bg-line" />}
              {group.map((item) => (
                <MenuRow item={item} key={item.label} />
              ))}
            </Fragment>
          ))}
        </Content>
      </Portal>
    </Root>
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

function MenuRow({ item: { label, note, onSelect, href, disabled = false, isDanger = false } }: { item: MenuItem }) {
  const content = (
    <>
      <span className={isDanger ? "text-seal" : ""}>{label}</span>
      {note && <span className="text-xs text-muted">{note}</span>}
    </>
  );
  return (
    <Item
      asChild={href !== undefined && !disabled}
      className={itemClass}
      disabled={disabled}
      onSelect={() => onSelect?.()}
    >
      {href !== undefined && !disabled ? (
        <a download href={href}>
          {content}
        </a>
      ) : (
        content
      )}
    </Item>
  );
}
