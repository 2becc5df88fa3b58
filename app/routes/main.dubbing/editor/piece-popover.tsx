import { useEffect, useState } from "react";
import { readingCopy } from "~/copy/dubbing";
import { sentenceFor } from "~/copy/errors";
import { formatPinyin } from "~/copy/generation";
import { usePlayer } from "~/features/player/provider";
import type { Notice } from "~/features/toasts/notify";
import { paths } from "~/paths";
import { dubClient, findPolyphones, Refused } from "../dub-client";
import { PausePopover } from "./pause-popover";
import { contextOf, type Polyphone, pauseMark, toPieces, withReading } from "./pieces";
import type { PolyphoneStore } from "./polyphones";
import { ReadingPopover } from "./reading-popover";
import { type ScriptStore, useScript } from "./store";

export interface OpenPiece {
  lineId: string;
  offset: number;
  rect: DOMRect;
}

interface PiecePopoverProps {
  open: OpenPiece;
  store: ScriptStore;
  polyphones: PolyphoneStore;
  isLoggedIn: boolean;
  onLogIn(): void;
  tell(notice: Notice): void;
  onClose(): void;
}

/** What a tapped mark or underlined character offers. */
export function PiecePopover({ open, store, polyphones, isLoggedIn, onLogIn, tell, onClose }: PiecePopoverProps) {
  const { lineId, offset, rect } = open;
  const line = useScript(store, ({ present }) => present.lines.find(({ id }) => id === lineId));
  const player = usePlayer();
  const [sounding, setSounding] = useState<string | null>(null);
  const content = line?.content ?? "";
  const piece = toPieces(content, polyphones.get(content)).find((one) => one.offset === offset);
  const found = usePolyphoneAt(content, piece?.kind === "polyphone" ? piece.polyphone : null, offset);
  if (!line || !piece || piece.kind === "text") return null;

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

  const refuse = (error: unknown) => {
    const refusal = error instanceof Refused ? error.refusal : { code: "request-failed" };
    tell({ kind: "error", text: sentenceFor(refusal) });
  };
  const listen = async (pinyin: string) => {
    if (!isLoggedIn) return onLogIn();
    const { text, before, char, behind } = contextOf(content, offset, pinyin);
    setSounding(pinyin);
    try {
      const url = paths.media(await dubClient.sample(text, line.roleId));
      player.play({ url, title: readingCopy.sampleTitle(`${before}${char}${behind}`), subtitle: formatPinyin(pinyin) });
    } catch (error) {
      refuse(error);
    } finally {
      setSounding(null);
    }
  };
  const choose = (pinyin: string | null, word: { word: string; pinyin: string } | null) => {
    const next = withReading(content, offset, pinyin);
    const plain = withReading(content, offset, null);
    write(next, offset + (next.length - plain.length) + 1);
    if (!word) return;
    dubClient.keepWord(word.word, word.pinyin).then(() => {
      polyphones.forget();
      tell({ kind: "success", text: readingCopy.saved(word.word) });
    }, refuse);
  };
  const chosen = piece.kind === "reading" ? piece.pinyin : null;
  const polyphone = found && found !== "none" && chosen ? { ...found, reading: chosen } : found;
  return (
    <ReadingPopover
      canKeep={isLoggedIn}
      content={content}
      isChosen={chosen !== null}
      offset={offset}
      onChoose={choose}
      onClose={onClose}
      onListen={(pinyin) => void listen(pinyin)}
      polyphone={polyphone}
      rect={rect}
      sounding={sounding}
    />
  );
}

/** What is known of a character; of one whose reading was chosen it is asked without that choice. */
function usePolyphoneAt(content: string, known: Polyphone | null, offset: number): Polyphone | "none" | null {
  const plain = withReading(content, offset, null);
  const [asked, setAsked] = useState<{ of: string; found: Polyphone | "none" } | null>(null);
  const isKnown = known !== null;
  useEffect(() => {
    if (isKnown) return;
    let isGone = false;
    void findPolyphones(plain).then((list) => {
      if (!isGone) setAsked({ of: plain, found: list?.find((one) => one.offset === offset) ?? "none" });
    });
    return () => {
      isGone = true;
    };
  }, [plain, offset, isKnown]);
  return known ?? (asked?.of === plain ? asked.found : null);
}
