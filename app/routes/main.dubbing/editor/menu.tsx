import { Content, Item, Portal, Root, Separator, Trigger } from "@radix-ui/react-dropdown-menu";
import { Fragment, type ReactNode } from "react";

export interface MenuItem {
  label: string;
  /** Shown at the end of the row. */
  note?: string;
  onSelect?(): void;
  /** Leads somewhere instead, such as to a download. */
  href?: string;
  disabled?: boolean;
  isDanger?: boolean;
}

interface MenuProps {
  /** One button. */
  trigger: ReactNode;
  /** A null stands for a line between groups. */
  items: readonly (MenuItem | null)[];
  align?: "start" | "end";
  /** One sentence above the items. */
  heading?: string;
  /** Where the focus goes when the menu closes; to the trigger when it says nothing. */
  onClosed?(event: Event): void;
}

const row =
  "flex min-h-[44px] w-full cursor-pointer select-none items-center justify-between gap-6 rounded px-3 text-sm outline-none data-[disabled]:cursor-not-allowed data-[disabled]:opacity-50 data-[highlighted]:bg-wash";

/** A button and its menu; arrows, Home, End, letters and Escape work by themselves. */
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
          {groupsOf(items).map(([first, ...others], index) => (
            <Fragment key={first.label}>
              {index > 0 && <Separator className="my-1 h-px bg-line" />}
              {[first, ...others].map((item) => (
                <MenuRow item={item} key={item.label} />
              ))}
            </Fragment>
          ))}
        </Content>
      </Portal>
    </Root>
  );
}

type Group = [MenuItem, ...MenuItem[]];

function groupsOf(items: readonly (MenuItem | null)[]): Group[] {
  const groups: Group[] = [];
  let current: Group | null = null;
  for (const item of items) {
    if (!item) current = null;
    else if (current) current.push(item);
    else {
      current = [item];
      groups.push(current);
    }
  }
  return groups;
}

function MenuRow({ item: { label, note, onSelect, href, disabled = false, isDanger = false } }: { item: MenuItem }) {
  const words = (
    <>
      <span className={isDanger ? "text-seal" : ""}>{label}</span>
      {note && <span className="text-xs text-muted">{note}</span>}
    </>
  );
  return (
    <Item asChild={href !== undefined && !disabled} className={row} disabled={disabled} onSelect={() => onSelect?.()}>
      {href !== undefined && !disabled ? (
        <a download href={href}>
          {words}
        </a>
      ) : (
        words
      )}
    </Item>
  );
}
