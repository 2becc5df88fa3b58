import { Content, Group, Item, Label, Root, Separator, Trigger } from "@radix-ui/react-dropdown-menu";
import { type RefObject, useRef, useState } from "react";
import { composerCopy } from "~/copy/clone";
import { formatPause, formatPinyin, pauseSeconds } from "~/copy/generation";
import { useHasCall } from "~/offer";
import { buttonClass } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";
import { askReadings } from "../clone-client";
import { applyMark } from "./apply-mark";
import { type Marked, type Selection, type Spoken, spokenAt, withPause, withReading } from "./marks";

const words = composerCopy.marks;

interface MarksMenuProps {
  field: RefObject<HTMLTextAreaElement>;
  onContent(content: string): void;
}

type Readings =
  | { phase: "none" }
  | { phase: "loading" | "failed" | "only"; spoken: Spoken }
  | { phase: "ready"; spoken: Spoken; choices: Array<{ pinyin: string; example: string }> };

const item =
  "flex min-h-[44px] cursor-pointer select-none items-center gap-3 px-4 text-sm outline-none data-[highlighted]:bg-wash data-[disabled]:cursor-default data-[disabled]:text-muted";
const label = "px-4 pb-0.5 pt-2 text-xs text-muted";

/** One menu for everything that stands between the characters: pauses, and how the chosen character is read. */
export function MarksMenu({ field, onContent }: MarksMenuProps) {
  const place = useRef<Selection>({ start: 0, end: 0 });
  const chosen = useRef<Marked | null>(null);
  const { readings, look } = useReadings();
  const hasReadings = useHasCall("readings");

  const open = (isOpen: boolean) => {
    const { current } = field;
    if (!isOpen || !current) return;
    chosen.current = null;
    place.current = { start: current.selectionStart, end: current.selectionEnd };
    if (hasReadings) void look(current.value, spokenAt(current.value, place.current));
  };
  const choose = (mark: (content: string) => Marked) => {
    if (field.current) chosen.current = mark(field.current.value);
  };

  return (
    <Root modal={false} onOpenChange={open}>
      <Trigger aria-label={words.menu} className={`${buttonClass()} px-3.5`}>
        <Icon name="script" size={18} />
        {words.insert}
      </Trigger>
      <Content
        align="start"
        aria-label={words.menu}
        className="z-30 w-64 rounded border border-line bg-surface py-1 shadow-card"
        collisionPadding={12}
        loop
        onCloseAutoFocus={(event) => {
          if (!chosen.current || !field.current) return;
          event.preventDefault();
          applyMark(field.current, chosen.current, onContent);
        }}
        sideOffset={6}
      >
        <Group>
          <Label className={label}>{words.pauses}</Label>
          <div className="grid grid-cols-2">
            {pauseSeconds.map((seconds) => (
              <Item
                className={item}
                key={seconds}
                onSelect={() => choose((content) => withPause(content, place.current, seconds))}
              >
                {formatPause(seconds)}
              </Item>
            ))}
          </div>
        </Group>
        {hasReadings && (
          <>
            <Separator className="my-1 h-px bg-line" />
            <ReadingItems
              onChoose={(spoken, pinyin) => choose((content) => withReading(content, spoken, pinyin))}
              readings={readings}
            />
          </>
        )}
      </Content>
    </Root>
  );
}

interface ReadingItemsProps {
  readings: Readings;
  onChoose(spoken: Spoken, pinyin: string): void;
}

function ReadingItems({ readings, onChoose }: ReadingItemsProps) {
  if (readings.phase === "none") return <Told>{words.chooseFirst}</Told>;
  const { spoken } = readings;
  if (readings.phase === "loading") return <Told>{words.loading}</Told>;
  if (readings.phase === "failed") return <Told>{words.failed}</Told>;
  return (
    <Group>
      <Label className={label}>
        {readings.phase === "only" ? words.only(spoken.char) : words.readings(spoken.char)}
      </Label>
      {readings.phase === "ready" &&
        readings.choices.map(({ pinyin, example }) => (
          <Item className={item} key={pinyin} onSelect={() => onChoose(spoken, pinyin)} textValue={pinyin}>
            <span className="min-w-[3.5rem]">{formatPinyin(pinyin)}</span>
            <span className="flex-1 text-xs text-muted">{example}</span>
            {pinyin === spoken.pinyin && <Icon className="text-celadon" name="check" size={18} />}
          </Item>
        ))}
      {spoken.pinyin && (
        <Item className={item} onSelect={() => onChoose(spoken, "")}>
          {words.plain}
        </Item>
      )}
    </Group>
  );
}

const Told = ({ children }: { children: string }) => (
  <Item className={item} disabled>
    {children}
  </Item>
);

/** How a character of a text may be read; an answer that comes after the next question is dropped. */
function useReadings() {
  const [readings, setReadings] = useState<Readings>({ phase: "none" });
  const turn = useRef(0);

  const look = async (content: string, spoken: Spoken | null) => {
    const mine = ++turn.current;
    if (!spoken) return setReadings({ phase: "none" });
    setReadings({ phase: "loading", spoken });
    // A character whose reading is fixed already would not be asked about.
    const plain = withReading(content, spoken, "").content;
    const answer = await askReadings(plain);
    if (mine !== turn.current) return;
    if (!answer.ok) return setReadings({ phase: "failed", spoken });
    const found = answer.list.find(({ offset }) => offset === spoken.offset);
    if (!found || found.candidates.length < 2) return setReadings({ phase: "only", spoken });
    const choices = found.candidates.map((pinyin, at) => ({ pinyin, example: found.examples[at] ?? "" }));
    setReadings({ phase: "ready", spoken, choices });
  };
  return { readings, look };
}
