import { useId, useRef, useState } from "react";
import { callApi, type Refusal, refusalOf } from "~/call";
import { sentenceFor } from "~/copy/errors";
import { voiceDesignCopy as words } from "~/copy/roles";
import { usePlayer } from "~/features/player/provider";
import { paths } from "~/paths";
import { Button, Chip, IconButton } from "~/ui/button";
import { Fault, LiveRegion } from "~/ui/feedback";
import { Input } from "~/ui/fields";
import { Icon } from "~/ui/icons/icon";
import { ToolIcon } from "~/ui/icons/tool-icon";
import type { CallData } from "~server/contract/calls/table";
import { designWordsMax } from "~server/contract/limits";

export type VoiceDesign = CallData<"voiceDesigns">["list"][number];

interface DesignFieldProps {
  design: VoiceDesign | null;
  onChange(design: VoiceDesign | null): void;
}

const perPage = 3;
const nothing = { list: [] as VoiceDesign[], total: 0, unread: [] as string[] };

/** A voice of no real person: described in words, heard in three candidates, of which one is kept. */
export function DesignField({ design, onChange }: DesignFieldProps) {
  const id = useId();
  const [description, setDescription] = useState("");
  const { found, page, fault, isPending, find } = useDesigns();
  const sound = useDesignSound();
  const search = (text: string, nextPage: number) => {
    onChange(null);
    void find(text, nextPage);
  };
  const take = (chip: string) => {
    const text = description.includes(chip) ? description : [description, chip].filter(Boolean).join("、");
    setDescription(text.slice(0, designWordsMax));
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Input
        autoComplete="off"
        error={fault}
        id={`${id}-words`}
        label={words.describe}
        maxLength={designWordsMax}
        onChange={(event) => setDescription(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
          // Enter would create the role.
          event.preventDefault();
          search(description, 1);
        }}
        placeholder={words.placeholder}
        trailing={
          <Button onClick={() => search(description, 1)} pending={isPending}>
            {words.find}
          </Button>
        }
        value={description}
      />
      <ul aria-label={words.suggested} className="flex flex-wrap gap-2">
        {words.chips.map((chip) => (
          <li key={chip}>
            <Chip onClick={() => take(chip)}>{chip}</Chip>
          </li>
        ))}
      </ul>
      {found.unread.length > 0 && <p className="text-xs text-muted">{words.unread(found.unread)}</p>}
      {found.list.length > 0 && (
        <Candidates chosen={design} found={found.list} onChange={onChange} page={page} sound={sound} />
      )}
      <Fault className="text-xs">{sound.fault}</Fault>
      {found.total > page * perPage && (
        <Button
          className="justify-self-start"
          icon={<ToolIcon name="shuffle" size={18} />}
          onClick={() => search(description, page + 1)}
          pending={isPending}
        >
          {words.more}
        </Button>
      )}
      <LiveRegion>{found.list.length > 0 ? words.found(found.list.length) : ""}</LiveRegion>
    </div>
  );
}

interface CandidatesProps {
  found: readonly VoiceDesign[];
  page: number;
  chosen: VoiceDesign | null;
  sound: ReturnType<typeof useDesignSound>;
  onChange(design: VoiceDesign): void;
}

/** Candidates as radio buttons, each with a button to hear it. */
function Candidates({ found, page, chosen, sound, onChange }: CandidatesProps) {
  const name = useId();
  return (
    <fieldset className="m-0 grid min-w-0 gap-2 border-0 p-0">
      <legend className="sr-only">{words.candidates}</legend>
      {found.map((design, i) => {
        const title = words.title((page - 1) * perPage + i + 1);
        const isPlaying = sound.isPlaying(design);
        return (
          <div
            className="flex min-h-[56px] items-center gap-3 rounded border border-line px-3 has-[:checked]:border-seal"
            key={design.designId}
          >
            <IconButton
              className="border border-line bg-surface text-ink hover:border-edge"
              label={isPlaying ? words.pause(title) : words.hear(title)}
              onClick={() => void sound.listen(design, title)}
            >
              {sound.waitingFor === design.designId ? (
                <Icon className="animate-spin" name="spinner" size={18} />
              ) : (
                <Icon name={isPlaying ? "pause" : "play"} size={18} />
              )}
            </IconButton>
            <label className="flex min-h-[44px] min-w-0 flex-1 cursor-pointer items-center gap-3">
              <span className="min-w-0 flex-1">
                <span className="block font-semibold">{title}</span>
                <span className="tabular block text-xs text-muted">{words.facts(design)}</span>
              </span>
              <input
                checked={chosen?.designId === design.designId}
                className="h-5 w-5 shrink-0"
                name={name}
                onChange={() => onChange(design)}
                type="radio"
              />
            </label>
          </div>
        );
      })}
    </fieldset>
  );
}

function useDesigns() {
  const [found, setFound] = useState(nothing);
  const [page, setPage] = useState(1);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isPending, setPending] = useState(false);
  const find = async (description: string, nextPage: number) => {
    setPending(true);
    setRefusal(null);
    try {
      setFound(await callApi("voiceDesigns", { words: description.trim(), page: nextPage, pageSize: perPage }));
      setPage(nextPage);
    } catch (error) {
      setRefusal(refusalOf(error));
    } finally {
      setPending(false);
    }
  };
  return { found, page, fault: refusal && sentenceFor(refusal), isPending, find };
}

/** Plays candidates; each is spoken once, and only the latest one asked for plays. */
function useDesignSound() {
  const player = usePlayer();
  const spoken = useRef(new Map<string, string>());
  const latest = useRef("");
  const [waitingFor, setWaitingFor] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const isPlaying = ({ designId }: VoiceDesign) =>
    player.isPlaying && player.track !== null && player.track.url === spoken.current.get(designId);
  const listen = async (design: VoiceDesign, title: string) => {
    if (isPlaying(design)) return player.toggle();
    const { designId } = design;
    latest.current = designId;
    setFault(null);
    setWaitingFor(designId);
    try {
      const url = spoken.current.get(designId) ?? (await speak(designId));
      spoken.current.set(designId, url);
      if (latest.current === designId) player.play({ url, title });
    } catch (error) {
      if (latest.current === designId) setFault(sentenceFor(refusalOf(error)));
    } finally {
      setWaitingFor((now) => (now === designId ? null : now));
    }
  };
  return { listen, waitingFor, isPlaying, fault };
}

const speak = async (designId: string) =>
  paths.media((await callApi("sample", { content: words.sampleText, designId, speed: 1, genre: 0 })).voiceUrl);
