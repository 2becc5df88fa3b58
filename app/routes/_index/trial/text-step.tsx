import type { RefObject } from "react";
import { trial } from "~/copy/trial";
import { Chip } from "~/ui/chip";
import { Field } from "~/ui/field";
import { VisuallyHidden } from "~/ui/visually-hidden";
import { charactersFree } from "~server/contract/limits";
import { countCharacters } from "~server/contract/marks";
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
    <Step heading={trial.text.heading} ordinal={trial.ordinals[1]}>
      <div className="mt-2">
        <Field
          className="max-h-[9rem] min-h-[78px] [field-sizing:content]"
          error={excess > 0 ? trial.text.over(excess) : (problem ?? undefined)}
          id="trial-text"
          inputRef={field}
          label={trial.text.label}
          onChange={(event) => onText(event.target.value)}
          placeholder={trial.text.placeholder}
          rows={2}
          value={text}
        />
      </div>
      <div className="mt-2 flex flex-wrap items-center gap-1 sm:gap-2">
        {trial.text.examples.map((example) => (
          <Chip aria-pressed={example.text === text} key={example.label} onClick={() => onText(example.text)}>
            {example.label}
          </Chip>
        ))}
        <span
          className={`tabular ml-auto whitespace-nowrap text-xs ${excess > 0 ? "font-semibold text-seal" : "text-muted"}`}
        >
          <span aria-hidden="true">{trial.text.count(used)}</span>
          <VisuallyHidden>{trial.text.countSaid(used)}</VisuallyHidden>
        </span>
      </div>
    </Step>
  );
}
