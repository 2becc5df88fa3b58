import { Group, Item, Label, Separator } from "@radix-ui/react-dropdown-menu";
import { composerCopy } from "~/copy/clone";
import { formatPause, formatPinyin, pauseSeconds } from "~/copy/generation";
import { Icon } from "~/ui/icons/icon";
import { MenuCard, menuItemClass, type OpenMenu } from "~/ui/menu-panel";
import type { Character } from "~server/contract/marks";

const words = composerCopy.marks;
const label = "px-3 pb-0.5 pt-2 text-xs text-muted";

export type Readings =
  | { phase: "none" }
  | { phase: "loading" | "failed" | "only"; character: Character }
  | { phase: "ready"; character: Character; choices: Array<{ pinyin: string; example: string }> };

interface MarksPanelProps {
  menu: OpenMenu;
  /** Whether the upstream knows readings. */
  hasReadings: boolean;
  readings: Readings;
  onPause(seconds: number): void;
  onReading(character: Character, pinyin: string): void;
  onClosed(event: Event): void;
}

/** The pauses and the readings to insert. The default export is for `lazyPart`. */
export default function MarksPanel(props: MarksPanelProps) {
  const { menu, hasReadings, readings, onPause, onReading, onClosed } = props;
  return (
    <MenuCard align="start" className="w-64" menu={menu} onClosed={onClosed}>
      <Group>
        <Label className={label}>{words.pauses}</Label>
        <div className="grid grid-cols-2">
          {pauseSeconds.map((seconds) => (
            <Item className={menuItemClass} key={seconds} onSelect={() => onPause(seconds)}>
              {formatPause(seconds)}
            </Item>
          ))}
        </div>
      </Group>
      {hasReadings && (
        <>
          <Separator className="my-1 h-px bg-line" />
          <ReadingItems onChoose={onReading} readings={readings} />
        </>
      )}
    </MenuCard>
  );
}

interface ReadingItemsProps {
  readings: Readings;
  onChoose(character: Character, pinyin: string): void;
}

function ReadingItems({ readings, onChoose }: ReadingItemsProps) {
  if (readings.phase === "none") return <Message>{words.chooseFirst}</Message>;
  const { character } = readings;
  if (readings.phase === "loading") return <Message>{words.loading}</Message>;
  if (readings.phase === "failed") return <Message>{words.failed}</Message>;
  return (
    <Group>
      <Label className={label}>
        {readings.phase === "only" ? words.only(character.char) : words.readings(character.char)}
      </Label>
      {readings.phase === "ready" &&
        readings.choices.map(({ pinyin, example }) => (
          <Item className={menuItemClass} key={pinyin} onSelect={() => onChoose(character, pinyin)} textValue={pinyin}>
            <span className="min-w-[3.5rem]">{formatPinyin(pinyin)}</span>
            <span className="flex-1 text-xs text-muted">{example}</span>
            {pinyin === character.pinyin && <Icon className="text-celadon" name="check" size={18} />}
          </Item>
        ))}
      {character.pinyin && (
        <Item className={menuItemClass} onSelect={() => onChoose(character, "")}>
          {words.plain}
        </Item>
      )}
    </Group>
  );
}

const Message = ({ children }: { children: string }) => (
  <Item className={menuItemClass} disabled>
    {children}
  </Item>
);
