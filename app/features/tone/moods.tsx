import { useRef, useState } from "react";
import { callApi, type Refusal, refusalOf } from "~/call";
import { toneCopy as words } from "~/copy/generation";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { LiveRegion } from "~/ui/feedback";
import { RadioGroup } from "~/ui/fields";
import { Icon } from "~/ui/icons/icon";
import type { CallInput } from "~server/bff/upstream.server";
import {
  findMood,
  type MoodName,
  moods,
  type SpeakingTone,
  type Strength,
  strengths,
  toMood,
  toSampleText,
  toToneRequest,
} from "./tone";

const strengthOptions = (Object.keys(strengths) as Strength[]).map((value) => ({
  value,
  label: words.strengths[value],
}));

export interface MoodsProps {
  value: SpeakingTone;
  onChange(change: Partial<SpeakingTone>): void;
  isProfessional: boolean;
  /** A control was pressed that needs the professional tier. */
  onLocked(): void;
  /** Sound that previews a mood; null if there is none. */
  sample: ToneSample | null;
}

const nameOf = (mood: MoodName | null) => (mood ? words.moods[mood] : words.plain);

/** One-tap moods. Other accounts hear one too, and are offered the tier that generates with it. */
export function Moods({ value, onChange, isProfessional, onLocked, sample }: MoodsProps) {
  const [previewed, setPreviewed] = useState<MoodName | null>(null);
  const { listen, waitingFor } = useToneSample(sample);
  const set = findMood(value);
  const isPlain = value.genre === 0 && !value.pitch && !value.volume;
  const choose = (mood: MoodName | null, strength?: Strength) => {
    const change = toMood(mood, strength);
    if (isProfessional) onChange(change);
    else if (!sample && mood) return onLocked();
    else setPreviewed(mood);
    void listen({ ...value, ...change }, nameOf(mood));
  };
  const current = isProfessional ? (set?.mood ?? null) : previewed;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      {sample && <p className="text-xs text-muted">{words.hear}</p>}
      <fieldset className="m-0 flex min-w-0 flex-wrap gap-x-2 border-0 p-0">
        <legend className="sr-only">{words.moodsLabel}</legend>
        {[null, ...moods].map((mood) => (
          <button
            aria-pressed={mood ? current === mood : isProfessional ? isPlain : !previewed}
            className="chip"
            key={mood ?? "plain"}
            onClick={() => choose(mood, set?.strength)}
            type="button"
          >
            <span className="inline-flex items-center gap-1.5">
              {waitingFor === nameOf(mood) && <Icon className="animate-spin" name="spinner" size={16} />}
              <span>{nameOf(mood)}</span>
            </span>
          </button>
        ))}
      </fieldset>
      {isProfessional && set && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span aria-hidden="true" className="text-sm">
            {words.strength}
          </span>
          <RadioGroup
            label={words.strength}
            onChange={(strength) => choose(set.mood, strength)}
            options={strengthOptions}
            value={set.strength}
          />
        </div>
      )}
      {!isProfessional && previewed && (
        <div className="mt-1 flex flex-wrap items-center justify-between gap-2 rounded bg-wash px-4 py-2">
          <p className="min-w-0 flex-1 basis-48 text-sm">{words.offer(words.moods[previewed])}</p>
          <Button onClick={onLocked}>{words.join}</Button>
        </div>
      )}
      <LiveRegion>{waitingFor ? words.hearing(waitingFor) : ""}</LiveRegion>
    </div>
  );
}

export interface ToneSample {
  /** Empty for an example voice. */
  roleId: string;
  /** Its beginning is spoken; an example sentence where it is empty. */
  content: string;
  play(track: { url: string; title: string; subtitle: string }): void;
  onRefused(refusal: Refusal): void;
}

/** Samples of tones in a voice, each made once; only the latest one asked for plays. `waitingFor`: the name of its tone. */
function useToneSample(sample: ToneSample | null) {
  const made = useRef(new Map<string, string>());
  const latest = useRef(0);
  const [waitingFor, setWaitingFor] = useState<string | null>(null);
  const listen = async (tone: SpeakingTone, name: string) => {
    if (!sample) return;
    const { roleId, content, play, onRefused } = sample;
    const turn = ++latest.current;
    const text = toSampleText(content) || words.sampleText;
    const input = { ...toToneRequest(tone), content: text, roleId };
    const key = JSON.stringify(input);
    setWaitingFor(name);
    try {
      const url = made.current.get(key) ?? (await createSample(input));
      made.current.set(key, url);
      if (turn === latest.current) play({ url, title: words.sampleTitle(name), subtitle: text });
    } catch (error) {
      if (turn === latest.current) onRefused(refusalOf(error));
    } finally {
      if (turn === latest.current) setWaitingFor(null);
    }
  };
  return { listen, waitingFor };
}

const createSample = async (input: CallInput<"sample">) => paths.media((await callApi("sample", input)).voiceUrl);
