import { type ReactNode, useMemo } from "react";
import { humanCopy } from "~/copy/square";
import { Icon } from "~/ui/icons/icon";
import type { Viseme } from "./mouth";
import { parsePortrait } from "./parameters";
import { Portrait } from "./portrait";

export interface Human {
  roleId: string;
  name: string;
  describe: string;
  /** An image's address; drawn from `portrait` where it is empty. */
  avatar?: string;
  portrait?: unknown;
  /** Address of the preview; empty while there is none. */
  voiceUrl: string;
  /** What sounds when in the preview, where the upstream tells. */
  timelineUrl?: string;
}

interface HumanCardProps {
  human: Human;
  /** What the player does with this one's preview. */
  sound?: "silent" | "loading" | "playing";
  /** The mouth while it plays. */
  viseme?: Viseme | undefined;
  onListen(human: Human): void;
  /** Stands below the line: tags, a link. */
  children?: ReactNode;
}

/** A digital human: portrait, name, one line, and a button to hear it. */
export function HumanCard({ human, sound = "silent", viseme, onListen, children }: HumanCardProps) {
  const isPlaying = sound === "playing";
  return (
    <article
      className={`overflow-hidden rounded-card border bg-surface transition-colors ${isPlaying ? "border-celadon" : "border-line"}`}
    >
      <div className="aspect-[5/4] bg-wash">
        <Face human={human} isSpeaking={isPlaying} viseme={viseme} />
      </div>
      <div className="relative grid grid-cols-1 items-center gap-x-2 px-3 pb-3.5 pt-3 md:grid-cols-[minmax(0,1fr)_44px] md:px-4 md:pb-4">
        <div className="min-w-0">
          <h3 className="truncate pr-12 font-song text-lg font-semibold md:pr-0">{human.name}</h3>
          <p className="text-xs text-muted">{human.describe}</p>
        </div>
        <ListenButton human={human} onListen={onListen} sound={sound} />
        {children && <div className="mt-3 md:col-span-2">{children}</div>}
      </div>
    </article>
  );
}

interface FaceProps {
  human: Omit<Human, "voiceUrl">;
  isSpeaking?: boolean;
  /** The mouth while it speaks; simply open where nothing tells. */
  viseme?: Viseme | undefined;
}

/** The picture of a human: its own image, the drawn portrait, or the first character of its name. */
export function Face({ human, isSpeaking = false, viseme = "aa" }: FaceProps) {
  const portrait = useMemo(() => parsePortrait(human.portrait), [human.portrait]);
  if (human.avatar) {
    return <img alt="" className="h-full w-full object-cover" decoding="async" loading="lazy" src={human.avatar} />;
  }
  if (portrait)
    return <Portrait className="block h-full w-full" portrait={portrait} viseme={isSpeaking ? viseme : "sil"} />;
  return (
    <div aria-hidden="true" className="grid h-full w-full place-items-center bg-wash font-song text-3xl text-muted">
      {[...human.name][0] ?? ""}
    </div>
  );
}

function ListenButton({ human, sound = "silent", onListen }: Omit<HumanCardProps, "children">) {
  const words = { silent: humanCopy.listen, loading: humanCopy.loading, playing: humanCopy.pause };
  const label = human.voiceUrl ? words[sound](human.name) : humanCopy.noPreview;
  const look =
    sound === "playing" ? "border-transparent bg-celadon text-on-celadon" : "border-line bg-surface text-seal";
  const icon = { silent: "play", loading: "spinner", playing: "pause" } as const;
  return (
    <button
      aria-label={label}
      className={`absolute -top-6 right-2.5 grid h-11 w-11 place-items-center rounded-full border transition-colors hover:border-edge disabled:text-muted md:static ${look}`}
      disabled={!human.voiceUrl}
      onClick={() => onListen(human)}
      title={label}
      type="button"
    >
      <Icon className={sound === "loading" ? "animate-spin" : undefined} name={icon[sound]} size={18} />
    </button>
  );
}
