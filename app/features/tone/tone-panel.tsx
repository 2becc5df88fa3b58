import { type ReactNode, useId, useState } from "react";
import { toneCopy as words } from "~/copy/generation";
import { Button } from "~/ui/button";
import { RadioGroup } from "~/ui/fields";
import { Icon } from "~/ui/icons/icon";
import { ToolIcon } from "~/ui/icons/tool-icon";
import { Moods, type MoodsProps } from "./moods";
import { feelings, findMood, plainTone, ranges, type SpeakingTone } from "./tone";

interface SliderProps {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  /** The value in words, shown and read out. */
  text: string;
  onChange(value: number): void;
  disabled?: boolean;
}

/** A range input under its name and its value in words; at least 160 px long. */
export function Slider({ label, value, text, onChange, ...range }: SliderProps) {
  const id = useId();
  return (
    <div className="grid min-w-[160px] grid-cols-[1fr_auto] items-baseline gap-x-3">
      <label className="text-sm" htmlFor={id}>
        {label}
      </label>
      <span aria-hidden="true" className="tabular text-right text-xs text-muted">
        {text}
      </span>
      <input
        aria-valuetext={text}
        className="col-span-2 h-11 w-full cursor-pointer disabled:cursor-not-allowed disabled:opacity-50"
        id={id}
        onChange={(event) => onChange(Number(event.target.value))}
        type="range"
        value={value}
        {...range}
      />
    </div>
  );
}

interface TonePanelProps extends MoodsProps {
  /** Input for the recording of genre 1. */
  reference: ReactNode;
}

/** The controls of a tone: moods that are heard at once, the speed, and the rest folded away. */
export function TonePanel({ value, onChange, isProfessional, onLocked, sample, reference }: TonePanelProps) {
  const [isFineAtFirst] = useState(value.genre === 1 || (value.genre === 2 && !findMood(value)));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Moods isProfessional={isProfessional} onChange={onChange} onLocked={onLocked} sample={sample} value={value} />
      <Slider
        {...ranges.speed}
        label={words.speed}
        onChange={(speed) => onChange({ speed })}
        text={words.speedText(value.speed)}
        value={value.speed}
      />
      <details className="group rounded bg-wash" open={isFineAtFirst}>
        <summary className="flex min-h-[44px] cursor-pointer list-none items-center gap-2 rounded px-4 text-sm [&::-webkit-details-marker]:hidden">
          {isProfessional || <Icon className="shrink-0 text-gold" name="lock" size={18} />}
          <span>{words.fine}</span>
          <ToolIcon
            className="ml-auto text-muted transition-[rotate] group-open:[rotate:180deg]"
            name="down"
            size={18}
          />
        </summary>
        <section aria-label={words.more} className="px-4 pb-3">
          {isProfessional ? (
            <Professional onChange={onChange} reference={reference} value={value} />
          ) : (
            <Locked onLocked={onLocked} />
          )}
        </section>
      </details>
    </div>
  );
}

const genres = (["0", "2", "1"] as const).map((value) => ({ value, label: words.genres[value] }));

function Professional({ value, onChange, reference }: Pick<TonePanelProps, "value" | "onChange" | "reference">) {
  const { pitch, volume, genre, ext } = value;
  return (
    <>
      <Slider
        {...ranges.pitch}
        label={words.pitch}
        onChange={(next) => onChange({ pitch: next })}
        text={words.pitchText(pitch)}
        value={pitch}
      />
      <Slider
        {...ranges.volume}
        label={words.volume}
        onChange={(next) => onChange({ volume: next })}
        text={words.volumeText(volume)}
        value={volume}
      />
      <div className="mt-2">
        <RadioGroup
          label={words.genre}
          onChange={(next) => onChange({ genre: Number(next) as SpeakingTone["genre"] })}
          options={genres}
          value={`${genre}`}
        />
      </div>
      {genre === 2 && (
        <div className="mt-2 grid gap-x-6 grid-cols-[repeat(auto-fit,minmax(min(100%,10.5rem),1fr))]">
          {feelings.map((feeling) => (
            <Slider
              {...ranges.feeling}
              key={feeling}
              label={words.feelings[feeling]}
              onChange={(weight) => onChange({ ext: { ...ext, [feeling]: weight } })}
              text={words.feelingText(ext[feeling] ?? 0)}
              value={ext[feeling] ?? 0}
            />
          ))}
          <p className="col-span-full text-xs text-muted">{words.feelingsHint}</p>
        </div>
      )}
      {genre === 1 && (
        <div className="mt-3 grid gap-2">
          <p className="text-xs text-muted">{words.referenceHint}</p>
          {reference}
        </div>
      )}
      <Button className="mt-2" kind="quiet" onClick={() => onChange({ ...plainTone })}>
        {words.reset}
      </Button>
    </>
  );
}

/** Disabled controls under one button. */
function Locked({ onLocked }: { onLocked(): void }) {
  const disabled = { onChange: () => {}, disabled: true, value: 0 };
  return (
    <div className="relative">
      <p className="flex items-start gap-2 pb-1 text-xs text-muted">
        <Icon className="shrink-0 text-gold" name="lock" size={18} />
        {words.locked}
      </p>
      <div aria-hidden="true">
        <Slider {...ranges.pitch} {...disabled} label={words.pitch} text={words.pitchText(0)} />
        <Slider {...ranges.volume} {...disabled} label={words.volume} text={words.volumeText(0)} />
        <div className="flex flex-wrap gap-2 py-1 text-xs text-muted">
          {([2, 1] as const).map((genre) => (
            <span className="rounded-full border border-line px-3 py-1.5" key={genre}>
              {words.genres[genre]}
            </span>
          ))}
        </div>
      </div>
      <button
        aria-label={words.unlock}
        className="absolute inset-0 cursor-pointer rounded"
        onClick={onLocked}
        title={words.unlock}
        type="button"
      />
    </div>
  );
}
