import { useEffect, useState } from "react";
import { callApi, refusalOf } from "~/call";
import { readingCopy } from "~/copy/dubbing";
import { sentenceFor } from "~/copy/errors";
import { formatPinyin } from "~/copy/generation";
import { useAccount } from "~/features/account/provider";
import { usePlayer } from "~/features/player/provider";
import { notify } from "~/features/toasts/notify";
import { paths } from "~/paths";
import { findPolyphones } from "../dub";
import { contextOf, type Polyphone, pauseMark, toPieces, withReading } from "./pieces";
import { PausePopover, ReadingPopover } from "./popovers";
import { useScript } from "./store";
import type { EditorStores } from "./use-line-actions";

/** A mark or polyphone of a line, and its position in the viewport. */
export interface OpenPiece {
  lineId: string;
  offset: number;
  rect: DOMRect;
}

interface PiecePopoverProps {
  open: OpenPiece;
  editor: EditorStores;
  onLogIn(): void;
  onClose(): void;
}

/** Edits a pause, or the reading of a character. */
export function PiecePopover({ open, editor, onLogIn, onClose }: PiecePopoverProps) {
  const { store, polyphones } = editor;
  const { lineId, offset, rect } = open;
  const line = useScript(store, ({ present }) => present.lines.find(({ id }) => id === lineId));
  const { isLogin } = useAccount().account;
  const { listen, loading } = useSample(line?.roleId ?? "");
  const content = line?.content ?? "";
  const piece = toPieces(content, polyphones.get(content)).find((one) => one.offset === offset);
  const found = usePolyphoneAt(content, piece?.kind === "polyphone" ? piece.polyphone : null, offset);
  if (!line || !piece || piece.kind === "text" || piece.kind === "emphasis") return null;

  const write = (next: string, caret: number) => {
    store.edit({ type: "text", id: lineId, content: next }, { id: lineId, at: caret });
    onClose();
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
      canSaveWord={isLogin}
      isSet={setReading !== null}
      loading={loading}
      onChoose={choose}
      onClose={onClose}
      onListen={(pinyin) => (isLogin ? void listen(content, offset, pinyin) : onLogIn())}
      polyphone={polyphone}
      target={{ content, offset, rect }}
    />
  );
}

const notifyRefusal = (error: unknown) => notify({ kind: "error", text: sentenceFor(refusalOf(error)) });

/** Generates and plays a sample of a reading in its context. */
function useSample(roleId: string) {
  const player = usePlayer();
  const [loading, setLoading] = useState<string | null>(null);
  const listen = async (content: string, offset: number, pinyin: string) => {
    const { text, before, char, after } = contextOf(content, offset, pinyin);
    setLoading(pinyin);
    try {
      const { voiceUrl } = await callApi("sample", { content: text, roleId });
      const url = paths.media(voiceUrl);
      player.play({ url, title: readingCopy.sampleTitle(`${before}${char}${after}`), subtitle: formatPinyin(pinyin) });
    } catch (error) {
      notifyRefusal(error);
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
