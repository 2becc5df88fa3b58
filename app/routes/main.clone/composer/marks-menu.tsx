import { Content, Group, Item, Label, Root, Separator, Trigger } from "@radix-ui/react-dropdown-menu";
import { type RefObject, useRef, useState } from "react";
import { composerCopy } from "~/copy/clone";
import { emphasisCopy, formatPause, formatPinyin, pauseSeconds } from "~/copy/generation";
import { useHasCall } from "~/offer";
import { buttonClass } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";
import { type Character, findCharacter, type Marked, type Selection, withEmphasis } from "~server/contract/marks";
import { readReadings } from "../clone-client";
import { withPause, withReading } from "./marks";

const words = composerCopy.marks;

interface MarksMenuProps {
  field: RefObject<HTMLTextAreaElement>;
  onContent(content: string): void;
}

type Readings =
  | { phase: "none" }
  | { phase: "loading" | "failed" | "only"; character: Character }
  | { phase: "ready"; character: Character; choices: Array<{ pinyin: string; example: string }> };

const item =
  "flex min-h-[44px] cursor-pointer select-none items-center gap-3 px-4 text-sm outline-none data-[highlighted]:bg-wash data-[disabled]:cursor-default data-[disabled]:text-muted";
const label = "px-4 pb-0.5 pt-2 text-xs text-muted";

/** Inserts pauses and sets the reading of the selected character. */
export function MarksMenu({ field, onContent }: MarksMenuProps) {
  const selection = useRef<Selection>({ start: 0, end: 0 });
  const chosen = useRef<Marked | null>(null);
  const { readings, findReadings } = useReadings();
  const hasReadings = useHasCall("readings");

  const open = (isOpen: boolean) => {
    const { current } = field;
    if (!isOpen || !current) return;
    chosen.current = null;
    selection.current = { start: current.selectionStart, end: current.selectionEnd };
    if (hasReadings) void findReadings(current.value, findCharacter(current.value, selection.current));
  };
  const choose = (mark: (content: string) => Marked) => {
    if (field.current) chosen.current = mark(field.current.value);
  };

  return (
    <Root modal={false} onOpenChange={open}>
      <Trigger aria-label={words.menu} className={buttonClass()}>
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
                onSelect={() => choose((content) => withPause(content, selection.current, seconds))}
              >
                {formatPause(seconds)}
              </Item>
            ))}
          </div>
        </Group>
        <Separator className="my-1 h-px bg-line" />
        <Item
          className={item}
          onSelect={() =>
            choose((content) => withEmphasis(content, selection.current) ?? { content, caret: selection.current.end })
          }
        >
          <span className="flex-1">{emphasisCopy.action}</span>
          <span className="text-xs text-muted">{emphasisCopy.hint}</span>
        </Item>
        {hasReadings && (
          <>
            <Separator className="my-1 h-px bg-line" />
            <ReadingItems
              onChoose={(character, pinyin) => choose((content) => withReading(content, character, pinyin))}
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
          <Item className={item} key={pinyin} onSelect={() => onChoose(character, pinyin)} textValue={pinyin}>
            <span className="min-w-[3.5rem]">{formatPinyin(pinyin)}</span>
            <span className="flex-1 text-xs text-muted">{example}</span>
            {pinyin === character.pinyin && <Icon className="text-celadon" name="check" size={18} />}
          </Item>
        ))}
      {character.pinyin && (
        <Item className={item} onSelect={() => onChoose(character, "")}>
          {words.plain}
        </Item>
      )}
    </Group>
  );
}

const Message = ({ children }: { children: string }) => (
  <Item className={item} disabled>
    {children}
  </Item>
);

/** The possible readings of a character; a response to an earlier request is ignored. */
function useReadings() {
  const [readings, setReadings] = useState<Readings>({ phase: "none" });
  const request = useRef(0);

  const findReadings = async (content: string, character: Character | null) => {
    const current = ++request.current;
    if (!character) return setReadings({ phase: "none" });
    setReadings({ phase: "loading", character });
    // The upstream returns no candidates for a character with a fixed reading.
    const plain = withReading(content, character, "").content;
    const answer = await readReadings(plain).catch(() => null);
    if (current !== request.current) return;
    if (!answer) return setReadings({ phase: "failed", character });
    const found = answer.list.find(({ offset }) => offset === character.offset);
    if (!found || found.candidates.length < 2) return setReadings({ phase: "only", character });
    const choices = found.candidates.map((pinyin, at) => ({ pinyin, example: found.examples[at] ?? "" }));
    setReadings({ phase: "ready", character, choices });
  };
  return { readings, findReadings };
}

/** Edits the field like keyboard input, so that undo works; calls `onContent` if the browser does not support it. */
function applyMark(field: HTMLTextAreaElement, { content, caret }: Marked, onContent: (content: string) => void) {
  const before = field.value;
  const shorter = Math.min(before.length, content.length);
  let start = 0;
  while (start < shorter && before[start] === content[start]) start++;
  let sameAtEnd = 0;
  while (sameAtEnd < shorter - start && before.at(-1 - sameAtEnd) === content.at(-1 - sameAtEnd)) sameAtEnd++;
  field.focus();
  field.setSelectionRange(start, before.length - sameAtEnd);
  const text = content.slice(start, content.length - sameAtEnd);
  const isDone = text ? document.execCommand("insertText", false, text) : document.execCommand("delete");
  if (!isDone || field.value !== content) onContent(content);
  requestAnimationFrame(() => field.setSelectionRange(caret, caret));
}
