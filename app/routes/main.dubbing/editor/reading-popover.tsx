import { useState } from "react";
import { readingCopy } from "~/copy/dubbing";
import { formatPinyin } from "~/copy/generation";
import { Button, IconButton } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";
import { contextOf, type Polyphone } from "./pieces";
import { Popover } from "./popover";

interface ReadingPopoverProps {
  rect: DOMRect;
  content: string;
  offset: number;
  /** Null while it is being found, "none" where nothing is known of the character. */
  polyphone: Polyphone | "none" | null;
  /** Whether somebody chose this reading; it can be taken back then. */
  isChosen: boolean;
  /** Whether a dictionary can be kept. */
  canKeep: boolean;
  /** The reading that is being made to be heard. */
  sounding: string | null;
  onListen(pinyin: string): void;
  /** `word`: every syllable of the word around it, for the dictionary; null for this place alone. A null pinyin reads as it stands. */
  onChoose(pinyin: string | null, word: { word: string; pinyin: string } | null): void;
  onClose(): void;
}

const hearsMax = 6;

/** Which of its readings a character has here: each one heard among its neighbours before it is chosen. */
export function ReadingPopover(props: ReadingPopoverProps) {
  const { rect, content, offset, polyphone, isChosen, canKeep, sounding, onListen, onChoose, onClose } = props;
  const [isKept, setKept] = useState(false);
  const { before, char, behind } = contextOf(content, offset, null);
  const found = polyphone === "none" ? null : polyphone;
  const word = found && wordOf(found);
  return (
    <Popover label={readingCopy.label} onClose={onClose} rect={rect}>
      <div className="flex items-start gap-2">
        <h3 className="min-w-0 flex-1 px-1 pt-1 text-sm font-semibold">
          {readingCopy.question.before}
          {[...before].slice(-3).join("")}
          <span className="text-seal">{char}</span>
          {[...behind].slice(0, 3).join("")}
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
          {found.candidates.slice(0, hearsMax).map((pinyin, index) => (
            <Candidate
              example={found.examples[index] ?? ""}
              isNow={pinyin === found.reading}
              isSounding={pinyin === sounding}
              key={pinyin}
              onChoose={() => onChoose(pinyin, isKept && word ? { word, pinyin: pinyinOf(found, pinyin) } : null)}
              onListen={() => onListen(pinyin)}
              pinyin={pinyin}
            />
          ))}
        </ul>
      )}
      {isChosen && (
        <Button className="w-full" kind="quiet" onClick={() => onChoose(null, null)}>
          {readingCopy.forget}
        </Button>
      )}
      {word && canKeep && (
        <label className="mt-2 flex min-h-[44px] cursor-pointer items-center gap-2.5 border-t border-dashed border-line px-1 pt-2 text-xs text-muted">
          <input
            checked={isKept}
            className="h-4 w-4 shrink-0"
            onChange={(event) => setKept(event.target.checked)}
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
  isNow: boolean;
  isSounding: boolean;
  onChoose(): void;
  onListen(): void;
}

function Candidate({ pinyin, example, isNow, isSounding, onChoose, onListen }: CandidateProps) {
  const spoken = formatPinyin(pinyin);
  return (
    <li className={`flex items-center rounded ${isNow ? "bg-wash" : "hover:bg-wash"}`}>
      <button
        aria-pressed={isNow}
        className="flex min-h-[44px] min-w-0 flex-1 items-center gap-3 rounded px-2.5 text-left"
        onClick={onChoose}
        type="button"
      >
        <span className="w-[3.4em] shrink-0 font-song text-lg font-semibold">{spoken}</span>
        <span className="truncate text-xs text-muted">{example}</span>
      </button>
      <IconButton className="text-ink hover:text-seal" label={readingCopy.listen(spoken)} onClick={onListen}>
        <Icon className={isSounding ? "animate-spin" : undefined} name={isSounding ? "spinner" : "play"} size={16} />
      </IconButton>
    </li>
  );
}

const wordOf = ({ word = "", wordReading = "" }: Polyphone) => ([...word].length > 1 && wordReading ? word : null);

/** The word's syllables with this one read otherwise. */
const pinyinOf = ({ wordReading = "", wordAt = 0 }: Polyphone, pinyin: string) =>
  wordReading
    .split(" ")
    .map((syllable, index) => (index === wordAt ? pinyin : syllable))
    .join(" ");
