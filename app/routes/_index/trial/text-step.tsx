import type { RefObject } from "react";
import { trialCopy } from "~/copy/home";
import { Chip } from "~/ui/chip";
import { Field } from "~/ui/field";
import { VisuallyHidden } from "~/ui/visually-hidden";
import { countCharacters } from "~server/contract/characters";
import { charactersFree } from "~server/contract/limits";
import { Step } from "./step";

interface TextStepProps {
  text: string;
  onText(text: string): void;
  problem: string | null;
  field: RefObject<HTMLTextAreaElement>;
}

export function TextStep({ text, onText, problem, field }: TextStepProps) {
  const used = countCharacters(text);
  const excess = used - charactersFree;
  return (
    <Step heading={trialCopy.text.heading} ordinal={trialCopy.ordinals[1]}>
      <div className="mt-2">
        <Field
          className="max-h-[9rem] min-h-[78px] [field-sizing:content]"
          error={excess > 0 ? trialCopy.text.over(excess) : (problem ?? undefined)}
          id="trial-text"
          inputRef={field}
          label={trialCopy.text.label}
          onChange={(event) => onText(event.target.value)}
          placeholder={trialCopy.text.placeholder}
          rows={2}
          value={text}
        />
      </div>
      <div className="mt-2 flex flex-wrap items-center gap-1 sm:gap-2">
        {trialCopy.text.examples.map((example) => (
          <Chip aria-pressed={example.text === text} key={example.label} onClick={() => onText(example.text)}>
            {example.label}
          </Chip>
        ))}
        <span
          className={`tabular ml-auto whitespace-nowrap text-xs ${excess > 0 ? "font-semibold text-seal" : "text-muted"}`}
        >
          <span aria-hidden="true">{trialCopy.text.count(used)}</span>
          <VisuallyHidden>{trialCopy.text.countAnnouncement(used)}</VisuallyHidden>
        </span>
      </div>
    </Step>
  );
}
