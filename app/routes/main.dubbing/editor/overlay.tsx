import { memo, type RefObject } from "react";
import { editorCopy } from "~/copy/dubbing";
import { formatPinyin } from "~/copy/generation";
import type { Piece } from "./pieces";
import { type ReadAlong, useHeard } from "./read-along";

interface OverlayProps {
  pieces: readonly Piece[];
  placeholder: string;
  along: ReadAlong;
  lineId: string;
  overlayRef: RefObject<HTMLDivElement>;
}

type Voice = "said" | "now" | "to-come" | "quiet";
const voices: Record<Voice, string> = {
  said: "text-celadon",
  now: "rounded-sm bg-[color-mix(in_srgb,var(--celadon)_22%,transparent)] text-ink",
  "to-come": "",
  quiet: "",
};

/** What a line looks like, over a field that holds its words: every raw character keeps its width, so that the caret stands where it should. */
export const Overlay = memo(function Overlay({ pieces, placeholder, along, lineId, overlayRef }: OverlayProps) {
  const heard = useHeard(along, lineId);
  const voiceOf = (offset: number): Voice => {
    if (!heard) return "quiet";
    if (offset < heard.offset) return "said";
    return offset < heard.offset + heard.length ? "now" : "to-come";
  };
  return (
    <div aria-hidden="true" className="script-text pointer-events-none select-none" ref={overlayRef}>
      {pieces.length === 0 && <span className="text-muted">{placeholder}</span>}
      {pieces.map((piece) => {
        const key = `${piece.kind}-${piece.offset}`;
        const { raw, offset } = piece;
        if (piece.kind === "pause") return <PauseChip key={key} offset={offset} raw={raw} seconds={piece.seconds} />;
        if (piece.kind === "reading") {
          const { char, pinyin } = piece;
          return (
            <Reading char={char} key={key} offset={offset} pinyin={pinyin} raw={raw} voice={voices[voiceOf(offset)]} />
          );
        }
        if (piece.kind === "polyphone") {
          const look = `underline decoration-seal decoration-dotted decoration-2 underline-offset-[6px] ${voices[voiceOf(offset)]}`;
          return (
            <span className={look} data-offset={offset} key={key}>
              {raw}
            </span>
          );
        }
        if (!heard) return raw;
        return <Spoken key={key} offset={offset} raw={raw} voiceOf={voiceOf} />;
      })}
      {"\u200b"}
    </div>
  );
});

/** Cut where the voice is, not into characters: three stretches at most. */
function Spoken({ raw, offset, voiceOf }: { raw: string; offset: number; voiceOf(offset: number): Voice }) {
  const stretches: Array<{ voice: Voice; text: string; at: number }> = [];
  for (let at = 0; at < raw.length; at++) {
    const voice = voiceOf(offset + at);
    const last = stretches[stretches.length - 1];
    if (last?.voice === voice) last.text += raw[at];
    else stretches.push({ voice, text: raw[at] ?? "", at });
  }
  return (
    <>
      {stretches.map(({ voice, text, at }) => (
        <span className={voices[voice]} key={at}>
          {text}
        </span>
      ))}
    </>
  );
}

function PauseChip({ raw, offset, seconds }: { raw: string; offset: number; seconds: number }) {
  return (
    <span className="relative rounded-full bg-wash text-transparent" data-offset={offset}>
      {raw}
      <span
        className="absolute inset-0 grid place-items-center whitespace-nowrap text-tab leading-none text-muted"
        data-label
      >
        {editorCopy.pauseChip(seconds)}
      </span>
    </span>
  );
}

function Reading({
  raw,
  char,
  pinyin,
  offset,
  voice,
}: {
  raw: string;
  char: string;
  pinyin: string;
  offset: number;
  voice: string;
}) {
  return (
    <span data-offset={offset}>
      <span className={`underline decoration-celadon decoration-2 underline-offset-[6px] ${voice}`}>{char}</span>
      <span className="relative text-transparent">
        {raw.slice(char.length)}
        <span
          className="absolute inset-x-0 inset-y-0 m-auto grid h-5 place-items-center rounded-full bg-wash text-tab leading-none text-celadon"
          data-label
        >
          {formatPinyin(pinyin)}
        </span>
      </span>
    </span>
  );
}
