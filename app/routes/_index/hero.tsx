import { heroCopy } from "~/copy/home";
import { useOffer } from "~/offer";
import { BrushWave } from "./brush-wave";

export function Hero() {
  const { isLabelled } = useOffer();
  const facts = isLabelled ? [...heroCopy.facts, heroCopy.labelFact] : heroCopy.facts;
  return (
    <div className="self-start lg:sticky lg:top-28 lg:pt-6">
      <h1 className="text-balance font-song text-3xl font-semibold md:text-4xl">
        {heroCopy.before}
        <br />
        {heroCopy.lead}
        <em className="not-italic text-seal">{heroCopy.accent}</em>
        {heroCopy.end}
      </h1>
      <p className="mt-2 max-w-[26em] text-sm text-muted md:mt-5 md:text-lg">{heroCopy.sentence}</p>
      <BrushWave className="mt-8 hidden w-full max-w-[27rem] text-ink lg:block" />
      <ul className="mt-8 hidden gap-8 text-xs text-muted lg:flex">
        {facts.map(({ figure, meaning }) => (
          <li key={figure}>
            <b className="tabular block font-song text-2xl font-semibold text-ink">{figure}</b>
            {meaning}
          </li>
        ))}
      </ul>
    </div>
  );
}
