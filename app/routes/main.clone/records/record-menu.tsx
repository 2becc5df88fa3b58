import { Content, Item, Root, Trigger } from "@radix-ui/react-dropdown-menu";
import { Link } from "@remix-run/react";
import { cloneRecordsCopy as words } from "~/copy/clone";
import { paths } from "~/paths";
import type { CloneRecord } from "~server/bff/generations.server";

interface RecordMenuProps {
  record: CloneRecord;
  label: string;
  onCopy(): void;
  onReuse(): void;
  onRemove(): void;
}

const item =
  "flex min-h-[44px] cursor-pointer select-none items-center px-4 text-sm outline-none data-[highlighted]:bg-wash";

/** What is done with a record less often. One that a role spoke cannot become a role. */
export function RecordMenu({ record, label, onCopy, onReuse, onRemove }: RecordMenuProps) {
  const { roleId, voicePath, name } = record;
  return (
    <Root modal={false}>
      <Trigger
        aria-label={words.more(label)}
        className="grid h-11 w-11 shrink-0 place-items-center rounded-full text-muted transition-colors hover:bg-wash hover:text-ink"
        title={words.more(label)}
      >
        <svg aria-hidden="true" fill="currentColor" height="20" viewBox="0 0 24 24" width="20">
          <path d="M3.500 12a1.700 1.700 0 1 1 3.400 0a1.700 1.700 0 1 1-3.400 0M10.300 12a1.700 1.700 0 1 1 3.400 0a1.700 1.700 0 1 1-3.400 0M17.100 12a1.700 1.700 0 1 1 3.400 0a1.700 1.700 0 1 1-3.400 0" />
        </svg>
      </Trigger>
      <Content
        align="end"
        aria-label={words.more(label)}
        className="z-30 w-44 rounded border border-line bg-surface py-1 shadow-card"
        collisionPadding={12}
        loop
        sideOffset={4}
      >
        <Item className={item} onSelect={onCopy}>
          {words.copy}
        </Item>
        <Item className={item} onSelect={onReuse}>
          {words.reuse}
        </Item>
        {voicePath && !roleId && (
          <Item asChild className={item}>
            <Link to={paths.roleNew({ voicePath, name })}>{words.save}</Link>
          </Item>
        )}
        <Item className={`${item} text-seal`} onSelect={onRemove}>
          {words.remove}
        </Item>
      </Content>
    </Root>
  );
}
