import { useEffect, useRef, useState } from "react";
import { formatWhen } from "~/copy/dubbing-records";
import { bulkCopy, takesCopy } from "~/copy/dubbing-tools";
import { joinDetails } from "~/copy/format";
import { useAccount } from "~/features/account/provider";
import { usePlayer } from "~/features/player/provider";
import { usePreviews } from "~/features/player/use-previews";
import { notify } from "~/features/toasts/notify";
import { VoicePicker } from "~/features/voice-picker/voice-picker";
import { paths } from "~/paths";
import { Badge, Button, ListenButton } from "~/ui/button";
import { Notice } from "~/ui/card";
import { Dialog } from "~/ui/dialog";
import type { Voice } from "~server/bff/roles.server";
import { deliveryText, Face } from "./editor/line-row";
import { lineKeyOf, type ScriptLine } from "./editor/script";
import { useScript } from "./editor/store";
import type { LineTake } from "./stored-draft";
import type { DubSession } from "./use-dub-session";

export interface LineDialogProps {
  ids: readonly string[];
  session: DubSession;
  onClose(): void;
}

/** The first of the lines that a dialog changes, and the lines of the first one's role. */
export function useChosenLines({ editor, cast }: DubSession, ids: readonly string[]) {
  const lines = useScript(editor.store, ({ present }) => present.lines);
  const line = lines.find(({ id }) => id === ids[0]);
  const sameRole = lines.filter(({ roleId }) => roleId === line?.roleId).map(({ id }) => id);
  return { line, sameRole, name: cast.nameOf(line?.roleId ?? "") };
}

/** Chooses the role of the lines. */
export function LineRole({ ids, session, onClose, onLogIn }: LineDialogProps & { onLogIn(): void }) {
  const { editor, cast } = session;
  const { isLogin } = useAccount().account;
  const { line, sameRole, name } = useChosenLines(session, ids);
  const { listen, stateOf } = usePreviews();
  const [previewed, setPreviewed] = useState<Voice | null>(null);
  const [isForAll, setForAll] = useState(false);
  const [used] = useState(() => new Set(editor.store.get().lines.map(({ roleId }) => roleId)));
  const scriptVoices = [...cast.speakers.values()].filter(({ roleId }) => used.has(roleId));
  const logIn = () => {
    onClose();
    onLogIn();
  };
  return (
    <VoicePicker
      chosen={line?.roleId ?? null}
      onChoose={(voice) => {
        cast.addSpeakers([voice]);
        editor.store.edit({ type: "set", ids: isForAll ? sameRole : ids, change: { roleId: voice.roleId } });
        onClose();
      }}
      onClose={onClose}
      onLogIn={isLogin ? null : logIn}
      onPreview={(voice) => {
        setPreviewed(voice);
        listen(voice);
      }}
      picture={(voice) => <Face speaker={voice} />}
      scriptVoices={scriptVoices}
      playingId={previewed && stateOf(previewed).sound === "playing" ? previewed.roleId : null}
    >
      {ids.length === 1 && line?.roleId && sameRole.length > 1 && (
        <ForAll isOn={isForAll} onChange={setForAll}>
          {bulkCopy.roleForAll(name, sameRole.length)}
        </ForAll>
      )}
    </VoicePicker>
  );
}

/** Whether the choice is for all lines of the role. */
export function ForAll(props: { isOn: boolean; onChange(isOn: boolean): void; children: string }) {
  const { isOn, onChange, children } = props;
  return (
    <label className="flex min-h-[44px] shrink-0 cursor-pointer items-center gap-2.5 text-sm">
      <input checked={isOn} className="h-4 w-4" onChange={({ target }) => onChange(target.checked)} type="checkbox" />
      {children}
    </label>
  );
}

/** The renderings of a line, to compare by ear and to choose from. */
export function LineTakes({ id, session, onClose }: Omit<LineDialogProps, "ids"> & { id: string }) {
  const { editor, cast, generation, takes } = session;
  const lines = useScript(editor.store, ({ present }) => present.lines);
  const index = lines.findIndex((one) => one.id === id);
  const line = lines[index];
  const audible = (takes.get().get(id) ?? []).filter(({ key }) => generation.audios.has(key));
  const { playingKey, toggle, swap } = useTakePlayer(session, takesCopy.title(index + 1));
  useKeys((key) => {
    const take = audible[Number(key) - 1];
    if (take) toggle(take);
    else if (key === "x") swap(audible);
  });
  if (!line) return null;
  const currentKey = lineKeyOf(line);
  const changeLine = (change: Partial<ScriptLine>, text: string) => {
    editor.store.edit({ type: "set", ids: [id], change });
    notify({ kind: "success", text });
  };
  return (
    <Dialog
      closeLabel={takesCopy.close}
      description={audible.length > 0 ? takesCopy.hint : undefined}
      onClose={onClose}
      title={takesCopy.title(index + 1)}
    >
      {audible.length === 0 && <Notice isBare sentence={takesCopy.empty} />}
      <ol aria-label={takesCopy.list} className="mt-3 divide-y divide-line">
        {audible.map((take, at) => (
          <TakeRow
            detail={joinDetails(
              cast.nameOf(take.line.roleId),
              deliveryText(take.line),
              formatWhen(new Date(take.at).toISOString(), Date.now()),
            )}
            isCurrent={take.key === currentKey}
            isPlaying={take.key === playingKey}
            key={take.key}
            onListen={() => toggle(take)}
            onText={
              take.line.content === line.content
                ? null
                : () => changeLine({ content: take.line.content }, takesCopy.textUsed(at + 1))
            }
            onUse={() => changeLine(take.line, takesCopy.used(at + 1))}
            place={at + 1}
            take={take}
          />
        ))}
      </ol>
    </Dialog>
  );
}

/** Plays takes; `swap` plays the take that was played before this one, without one the second. */
function useTakePlayer({ generation }: DubSession, title: string) {
  const player = usePlayer();
  const [played, setPlayed] = useState<{ now: string | null; before: string | null }>({ now: null, before: null });
  const urlOf = (key: string) => paths.media(generation.audios.get(key)?.voiceUrl ?? "");
  const isLoaded = played.now !== null && player.track?.url === urlOf(played.now);
  const play = ({ key, line }: LineTake) => {
    const timelineUrl = generation.audios.get(key)?.timelineUrl;
    player.play({
      url: urlOf(key),
      title,
      subtitle: line.content,
      ...(timelineUrl && { timelineUrl: paths.media(timelineUrl) }),
    });
    setPlayed((was) => (was.now === key ? was : { now: key, before: was.now }));
  };
  return {
    playingKey: isLoaded && player.isPlaying ? played.now : null,
    toggle: (take: LineTake) => (isLoaded && played.now === take.key ? player.toggle() : play(take)),
    swap(takes: readonly LineTake[]) {
      const other = takes.find(({ key }) => key === played.before) ?? takes.find(({ key }) => key !== played.now);
      if (other) play(other);
    },
  };
}

/** Calls `onKey` with the keys that are pressed alone while the dialog is open. */
function useKeys(onKey: (key: string) => void) {
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => {
    const listen = (event: KeyboardEvent) =>
      event.ctrlKey || event.metaKey || event.altKey || latest.current(event.key.toLowerCase());
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

interface TakeRowProps {
  take: LineTake;
  place: number;
  detail: string;
  isCurrent: boolean;
  isPlaying: boolean;
  onListen(): void;
  onUse(): void;
  /** Null where the line has the same text. */
  onText: (() => void) | null;
}

function TakeRow({ take, place, detail, isCurrent, isPlaying, onListen, onUse, onText }: TakeRowProps) {
  return (
    <li aria-label={takesCopy.name(place)} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
      <ListenButton
        label={(isPlaying ? takesCopy.pause : takesCopy.play)(place)}
        onClick={onListen}
        sound={isPlaying ? "playing" : "silent"}
      />
      <span className="min-w-0 flex-1 basis-32">
        <span className="line-clamp-2 text-sm">{take.line.content}</span>
        <span className="tabular block text-xs text-muted">{detail}</span>
      </span>
      <span className="ml-auto flex items-center gap-2">
        {onText && (
          <Button aria-label={takesCopy.textLabel(place)} kind="quiet" onClick={onText}>
            {takesCopy.text}
          </Button>
        )}
        {isCurrent ? (
          <Badge>{takesCopy.current}</Badge>
        ) : (
          <Button aria-label={takesCopy.chooseLabel(place)} onClick={onUse}>
            {takesCopy.choose}
          </Button>
        )}
      </span>
    </li>
  );
}
