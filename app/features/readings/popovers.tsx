import { Anchor, Content, Portal, Root } from "@radix-ui/react-popover";
import { type ReactNode, useMemo, useState } from "react";

import { formatPause, formatPinyin, pauseSeconds, readingCopy } from "~/copy/generation";
import { useBackToClose } from "~/ui/back-to-close";
import { Button, IconButton } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";
import { contextOf, type Polyphone } from "./pieces";

interface ReadingPopoverProps {
  /** The character: its line's content, its offset, and its position in the viewport. */
  target: { content: string; offset: number; rect: DOMRect };
  /** Null while it loads, "none" if the character has no known readings. */
  polyphone: Polyphone | "none" | null;
  /** Whether the text sets the reading, so that it can be removed. */
  isSet: boolean;
  /** Whether the account has a dictionary to save words in. */
  canSaveWord: boolean;
  /** The reading whose sample is being generated. */
  loading: string | null;
  /** Null where there is no sample. */
  onListen: ((pinyin: string) => void) | null;
  /** A null pinyin removes the reading. `word`: the whole word and its syllables, for the dictionary. */
  onChoose(pinyin: string | null, word: { word: string; pinyin: string } | null): void;
  onClose(): void;
}

const candidatesMax = 6;

/** The readings of a character, each with a sample in its context. */
export function ReadingPopover(props: ReadingPopoverProps) {
  const { target, polyphone, isSet, canSaveWord, loading, onListen, onChoose, onClose } = props;
  const [savesWord, setSavesWord] = useState(false);
  const { before, char, after } = contextOf(target.content, target.offset, null);
  const found = polyphone === "none" ? null : polyphone;
  const word = found && wordOf(found);
  return (
    <Popover label={readingCopy.label} onClose={onClose} rect={target.rect}>
      <div className="flex items-start gap-2">
        <h3 className="min-w-0 flex-1 px-1 pt-1 text-sm font-semibold">
          {readingCopy.question.before}
          {[...before].slice(-3).join("")}
          <span className="text-seal">{char}</span>
          {[...after].slice(0, 3).join("")}
          {readingCopy.question.behind}
        </h3>
        <IconButton className="-mr-1 -mt-2 text-muted hover:text-ink" label={readingCopy.close} onClick={onClose}>
          <Icon name="close" size={18} />
        </IconButton>
      </div>
      {polyphone === null && (
        <p className="flex items-center gap-2 px-1 py-3 text-sm text-muted" role="status">
          <Icon className="animate-spin" name="spinner" size={18} />
          {readingCopy.asking}
        </p>
      )}
      {polyphone === "none" && <p className="px-1 py-3 text-sm text-muted">{readingCopy.none}</p>}
      {found && (
        <ul className="mt-1">
          {found.candidates.slice(0, candidatesMax).map((pinyin, index) => (
            <Candidate
              example={found.examples[index] ?? ""}
              isCurrent={pinyin === found.reading}
              isLoading={pinyin === loading}
              key={pinyin}
              onChoose={() => onChoose(pinyin, savesWord && word ? { word, pinyin: pinyinOf(found, pinyin) } : null)}
              onListen={onListen && (() => onListen(pinyin))}
              pinyin={pinyin}
            />
          ))}
        </ul>
      )}
      {isSet && (
        <Button className="w-full" kind="quiet" onClick={() => onChoose(null, null)}>
          {readingCopy.forget}
        </Button>
      )}
      {word && canSaveWord && (
        <label className="mt-2 flex min-h-[44px] cursor-pointer items-center gap-2.5 border-t border-dashed border-line px-1 pt-2 text-xs text-muted">
          <input
            checked={savesWord}
            className="h-4 w-4 shrink-0"
            onChange={(event) => setSavesWord(event.target.checked)}
            type="checkbox"
          />
          {readingCopy.save(word)}
        </label>
      )}
    </Popover>
  );
}

interface CandidateProps {
  pinyin: string;
  example: string;
  isCurrent: boolean;
  isLoading: boolean;
  onChoose(): void;
  onListen: (() => void) | null;
}

function Candidate({ pinyin, example, isCurrent, isLoading, onChoose, onListen }: CandidateProps) {
  const label = formatPinyin(pinyin);
  return (
    <li className={`flex items-center rounded ${isCurrent ? "bg-wash" : "hover:bg-wash"}`}>
      <button
        aria-pressed={isCurrent}
        className="flex min-h-[44px] min-w-0 flex-1 items-center gap-3 rounded px-2.5 text-left"
        onClick={onChoose}
        type="button"
      >
        <span className="w-[3.4em] shrink-0 font-song text-lg font-semibold">{label}</span>
        <span className="truncate text-xs text-muted">{example}</span>
      </button>
      {onListen && (
        <IconButton className="text-ink hover:text-seal" label={readingCopy.listen(label)} onClick={onListen}>
          <Icon className={isLoading ? "animate-spin" : undefined} name={isLoading ? "spinner" : "play"} size={16} />
        </IconButton>
      )}
    </li>
  );
}

const wordOf = ({ word = "", wordReading = "" }: Polyphone) => ([...word].length > 1 && wordReading ? word : null);

/** The word's syllables with `pinyin` in place of this one. */
const pinyinOf = ({ wordReading = "", wordAt = 0 }: Polyphone, pinyin: string) =>
  wordReading
    .split(" ")
    .map((syllable, index) => (index === wordAt ? pinyin : syllable))
    .join(" ");

interface PopoverProps {
  label: string;
  /** The anchor in viewport coordinates. */
  rect: DOMRect;
  onClose(): void;
  children: ReactNode;
}

/** A card beside a part of the text. Escape, Back and a press outside close it. */
function Popover({ label, rect, onClose, children }: PopoverProps) {
  useBackToClose(onClose);
  const anchor = useMemo(() => {
    const scroll = { x: window.scrollX, y: window.scrollY };
    const getBoundingClientRect = () =>
      new DOMRect(rect.x + scroll.x - window.scrollX, rect.y + scroll.y - window.scrollY, rect.width, rect.height);
    return { current: { getBoundingClientRect } };
  }, [rect]);
  return (
    <Root onOpenChange={(isOpen) => isOpen || onClose()} open>
      <Anchor virtualRef={anchor} />
      <Portal>
        <Content
          align="start"
          aria-label={label}
          className="z-30 max-h-[var(--radix-popover-content-available-height)] w-[288px] max-w-[calc(100vw-24px)] overflow-y-auto rounded-card border border-line bg-surface p-3 shadow-card outline-none"
          collisionPadding={{ top: 72, bottom: 80, left: 12, right: 12 }}
          onCloseAutoFocus={(event) => event.preventDefault()}
          side="bottom"
          sideOffset={8}
        >
          {children}
        </Content>
      </Portal>
    </Root>
  );
}

interface PausePopoverProps {
  rect: DOMRect;
  seconds: number;
  /** Null removes the pause. */
  onChoose(seconds: number | null): void;
  onClose(): void;
}

/** The length of a pause in the text. */
export function PausePopover({ rect, seconds, onChoose, onClose }: PausePopoverProps) {
  return (
    <Popover label={readingCopy.pauseLabel} onClose={onClose} rect={rect}>
      <p className="px-1 text-sm font-semibold">{readingCopy.pauseLabel}</p>
      <div className="mt-2 grid grid-cols-2 gap-2">
        {pauseSeconds.map((value) => (
          <Button
            aria-pressed={value === seconds}
            className="aria-pressed:border-ink aria-pressed:bg-wash"
            key={value}
            onClick={() => onChoose(value)}
          >
            {formatPause(value)}
          </Button>
        ))}
      </div>
      <Button className="mt-2 w-full" kind="quiet" onClick={() => onChoose(null)}>
        {readingCopy.removePause}
      </Button>
    </Popover>
  );
}
