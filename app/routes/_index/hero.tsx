import { hero } from "~/copy/home";

export function Hero() {
  return (
    <div>
      <h1 className="text-balance font-song text-3xl font-semibold md:text-4xl">
        {hero.before}
        <br />
        {hero.lead}
        <em className="not-italic text-seal">{hero.accent}</em>
        {hero.end}
      </h1>
      <p className="mt-2 max-w-[26em] text-sm text-muted md:mt-5 md:text-lg">{hero.sentence}</p>
      <ul className="mt-7 hidden gap-7 text-xs text-muted md:flex">
        {hero.facts.map(({ figure, meaning }) => (
          <li key={figure}>
            <b className="tabular block font-song text-2xl font-semibold text-ink">{figure}</b>
            {meaning}
          </li>
        ))}
      </ul>
    </div>
  );
}
