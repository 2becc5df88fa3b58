import { useEffect, useState } from "react";
import { callApi, refusalOf } from "~/call";

import { sentenceFor } from "~/copy/errors";
import { formatPinyin, readingCopy } from "~/copy/generation";
import { paths } from "~/paths";
import { contextOf, type Polyphone, pauseMark, toPieces, withReading } from "./pieces";
import { findPolyphones, type PolyphoneStore } from "./polyphones";
import { PausePopover, ReadingPopover } from "./popovers";

/** A mark or polyphone of a text, and its position in the viewport. */
export interface OpenPiece {
  offset: number;
  rect: DOMRect;
}

interface PiecePopoverProps {
  open: OpenPiece;
  content: string;
  polyphones: PolyphoneStore;
  /** Speaks the samples; "" if there are none. */
  roleId: string;
  isLoggedIn: boolean;
  play(sound: { url: string; title: string; subtitle: string }): void;
  notify(notice: { kind: "success" | "error"; text: string }): void;
  /** The text after the change, and the place of the caret. */
  onContent(content: string, caret: number): void;
  onLogIn(): void;
  onClose(): void;
}

/** Edits a pause, or the reading of a character. The default export is for `lazyPart`. */
export default function PiecePopover(props: PiecePopoverProps) {
  const { open, content, polyphones, roleId, isLoggedIn, notify, onLogIn, onClose } = props;
  const { offset, rect } = open;
  const notifyRefusal = (error: unknown) => notify({ kind: "error", text: sentenceFor(refusalOf(error)) });
  const { listen, loading } = useSample(props, notifyRefusal);
  const piece = toPieces(content, polyphones.get(content)).find((one) => one.offset === offset);
  const found = usePolyphoneAt(content, piece?.kind === "polyphone" ? piece.polyphone : null, offset);
  if (!piece || piece.kind === "text" || piece.kind === "emphasis") return null;

  const write = (next: string, caret: number) => {
    onClose();
    props.onContent(next, caret);
  };
  if (piece.kind === "pause") {
    const end = offset + piece.raw.length;
    const choose = (seconds: number | null) => {
      const mark = seconds === null ? "" : pauseMark(seconds);
      write(content.slice(0, offset) + mark + content.slice(end), offset + mark.length);
    };
    return <PausePopover onChoose={choose} onClose={onClose} rect={rect} seconds={piece.seconds} />;
  }

  const choose = (pinyin: string | null, word: { word: string; pinyin: string } | null) => {
    const next = withReading(content, offset, pinyin);
    const plain = withReading(content, offset, null);
    write(next, offset + (next.length - plain.length) + 1);
    if (!word) return;
    callApi("dictionaryPut", word).then(() => {
      polyphones.reset();
      notify({ kind: "success", text: readingCopy.saved(word.word) });
    }, notifyRefusal);
  };
  const setReading = piece.kind === "reading" ? piece.pinyin : null;
  const polyphone = found && found !== "none" && setReading ? { ...found, reading: setReading } : found;
  return (
    <ReadingPopover
      canSaveWord={isLoggedIn}
      isSet={setReading !== null}
      loading={loading}
      onChoose={choose}
      onClose={onClose}
      onListen={roleId ? (pinyin) => (isLoggedIn ? void listen(pinyin) : onLogIn()) : null}
      polyphone={polyphone}
      target={{ content, offset, rect }}
    />
  );
}

/** Generates and plays a sample of a reading in its context. */
function useSample({ open, content, roleId, play }: PiecePopoverProps, onFailed: (error: unknown) => void) {
  const [loading, setLoading] = useState<string | null>(null);
  const listen = async (pinyin: string) => {
    const { text, before, char, after } = contextOf(content, open.offset, pinyin);
    setLoading(pinyin);
    try {
      const { voiceUrl } = await callApi("sample", { content: text, roleId });
      const url = paths.media(voiceUrl);
      play({ url, title: readingCopy.sampleTitle(`${before}${char}${after}`), subtitle: formatPinyin(pinyin) });
    } catch (error) {
      onFailed(error);
    } finally {
      setLoading(null);
    }
  };
  return { listen, loading };
}

/** The known polyphone, else the one found for the text without the set reading; null while it loads. */
function usePolyphoneAt(content: string, known: Polyphone | null, offset: number): Polyphone | "none" | null {
  const plain = withReading(content, offset, null);
  const [loaded, setLoaded] = useState<{ content: string; found: Polyphone | "none" } | null>(null);
  const isKnown = known !== null;
  useEffect(() => {
    if (isKnown) return;
    let isCancelled = false;
    void findPolyphones(plain).then((list) => {
      if (!isCancelled) setLoaded({ content: plain, found: list?.find((one) => one.offset === offset) ?? "none" });
    });
    return () => {
      isCancelled = true;
    };
  }, [plain, offset, isKnown]);
  return known ?? (loaded?.content === plain ? loaded.found : null);
}
