import { Link } from "@remix-run/react";
import { type ReactNode, useId } from "react";
import { sentenceFor } from "~/copy/errors";
import { featuredRolesCopy, heroCopy, howItWorksCopy, tiersCopy, usesCopy } from "~/copy/home";
import { siteCopy } from "~/copy/site";
import { useArrivingPreviews, usePreviews } from "~/features/player/use-previews";
import { HumanCard } from "~/features/portrait/picture";
import type { Human } from "~/features/portrait/still";
import { useTheme } from "~/features/theme/theme";
import { paths } from "~/paths";
import { useCapabilities, useHasCall } from "~/state/capabilities";
import { Badge, buttonClass } from "~/ui/button";
import { Card, Notice } from "~/ui/card";
import { Icon } from "~/ui/icons/icon";
import type { Refusal } from "~server/bff/refusal.server";
import { Hero, Speaker } from "./hero";
import { TrialCard } from "./trial/trial-card";

const shownHumans = 8;

interface HomeProps {
  humans: readonly Human[];
  /** Why the digital humans cannot be had. */
  refusal: Refusal | null;
  trials: { used: number; max: number };
  /** Monthly prices of the two tiers in fen; null if no monthly package is sold. */
  monthlyFen: readonly (number | null)[];
}

/** The whole page between header and footer. */
export function Home({ humans, refusal, trials, monthlyFen }: HomeProps) {
  const { engine } = useCapabilities();
  useArrivingPreviews(humans);
  return (
    <>
      <div className="mx-auto grid max-w-page grid-cols-[minmax(0,1fr)] items-start gap-5 px-4 pb-8 pt-5 md:gap-10 md:px-6 md:pb-14 md:pt-12 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] lg:gap-14">
        <Hero humans={humans} />
        <TrialCard humans={humans} trials={trials} />
      </div>
      <Section heading={featuredRolesCopy.heading} sentence={featuredRolesCopy.sentence}>
        <People humans={humans.slice(0, shownHumans)} refusal={refusal} />
      </Section>
      <Uses humans={humans} />
      {engine === "embedded" && (
        <Section heading={howItWorksCopy.heading}>
          <How />
        </Section>
      )}
      <Section heading={tiersCopy.heading} id="tiers" sentence={tiersCopy.sentence}>
        <Tiers monthlyFen={monthlyFen} />
      </Section>
    </>
  );
}

interface SectionProps {
  id?: string;
  heading: string;
  sentence?: string;
  children: ReactNode;
}

function Section({ id, heading, sentence, children }: SectionProps) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className="mx-auto max-w-page px-4 py-8 md:px-6 md:py-12" id={id}>
      <h2 className="font-song text-2xl font-semibold md:text-3xl" id={headingId}>
        {heading}
      </h2>
      {sentence && <p className="mt-1 text-muted">{sentence}</p>}
      <div className="mt-6">{children}</div>
    </section>
  );
}

function People({ humans, refusal }: Pick<HomeProps, "humans" | "refusal">) {
  const { listen, stateOf } = usePreviews();
  const { colorMode } = useTheme();
  if (refusal)
    return (
      <Notice {...featuredRolesCopy.failed} level={3} role="alert" sentence={sentenceFor(refusal)} to={paths.home} />
    );
  if (humans.length === 0)
    return <p className="rounded-card border border-line bg-surface p-6 text-muted">{featuredRolesCopy.empty}</p>;
  return (
    <>
      <ul className="human-grid of-four">
        {humans.map((human) => (
          <li key={human.roleId}>
            <HumanCard colorMode={colorMode} human={human} onListen={listen} {...stateOf(human)}>
              <Link
                aria-label={featuredRolesCopy.chooseVoice(human.name)}
                className="human-link"
                discover="none"
                to={paths.trialWith(human.roleId)}
              >
                {featuredRolesCopy.use}
              </Link>
            </HumanCard>
          </li>
        ))}
      </ul>
      <Link className={`${buttonClass()} mt-6`} to={paths.square}>
        {featuredRolesCopy.more}
        <Icon name="arrow" size={18} />
      </Link>
    </>
  );
}

/** What can be made, each with a sample that speaks here: a cast, a film's picture, a portrait. */
function Uses({ humans }: { humans: readonly Human[] }) {
  const hasFilms = useHasCall("videoCreate");
  const uses = usesCopy.list.flatMap((use) => {
    const speakers = use.speakers.flatMap((word) => humans.find(({ describe }) => describe.includes(word)) ?? []);
    return speakers.length === use.speakers.length && (hasFilms || use.kind !== "film") ? [{ ...use, speakers }] : [];
  });
  if (uses.length === 0) return null;
  return (
    <Section heading={usesCopy.heading} sentence={usesCopy.sentence}>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-3">
        {uses.map(({ kind, name, sentence, action, speakers }) => (
          <li key={kind}>
            <Card className="flex h-full flex-col overflow-hidden">
              <div className="relative flex aspect-[5/4] overflow-hidden bg-wash">
                {speakers.map((human) => (
                  <Speaker human={human} key={human.roleId} spoken={kind === "film" ? heroCopy.spoken : null} />
                ))}
                <span className="absolute right-3 top-3 rounded-full bg-surface leading-none">
                  <Badge>{siteCopy.aiBadge}</Badge>
                </span>
              </div>
              <div className="flex flex-1 flex-col items-start gap-1 p-4 md:p-5">
                <h3 className="font-song text-lg font-semibold">{name}</h3>
                <p className="mb-2 text-sm text-muted">{sentence}</p>
                <Link className={`${buttonClass()} mt-auto`} to={usePaths[kind]}>
                  {action}
                </Link>
              </div>
            </Card>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const usePaths = { cast: paths.dubbing, film: paths.clone, portrait: paths.roleNew() };

function How() {
  return (
    <ol className="grid gap-x-10 gap-y-6 md:grid-cols-3">
      {howItWorksCopy.steps.map(({ title, sentence }, index) => (
        <li className="numbered" key={title}>
          <span aria-hidden="true">{howItWorksCopy.ordinals[index]}</span>
          <h3>{title}</h3>
          <p>{sentence}</p>
        </li>
      ))}
    </ol>
  );
}

function Tiers({ monthlyFen }: { monthlyFen: readonly (number | null)[] }) {
  const isPriced = monthlyFen.every((fen) => fen !== null);
  return (
    <>
      <ul className="grid gap-4 md:grid-cols-3">
        {tiersCopy.list.map(({ name, lines, go }, index) => (
          <li key={name}>
            <Card className="flex h-full flex-col p-5 md:p-6">
              <h3 className={`font-song text-xl font-semibold ${index === 2 ? "text-gold" : ""}`}>{name}</h3>
              {isPriced && (
                <p className="tabular mt-1 font-song text-2xl font-semibold">
                  {index === 0 ? tiersCopy.free : tiersCopy.monthly(monthlyFen[index - 1] ?? 0)}
                </p>
              )}
              <ul className="mt-4 grid gap-2.5 text-sm">
                {lines.map((line) => (
                  <li className="checked" key={line}>
                    {line}
                  </li>
                ))}
              </ul>
              <div className="mt-auto pt-5">
                <Link
                  className={`${buttonClass({ kind: index === 2 ? "primary" : "outline" })} w-full`}
                  to={index === 0 ? paths.trial : paths.subscribe}
                >
                  {go}
                </Link>
              </div>
            </Card>
          </li>
        ))}
      </ul>
      <Link className={`${buttonClass({ kind: "outline" })} mt-6`} to={paths.subscribe}>
        {tiersCopy.link}
        <Icon name="arrow" size={18} />
      </Link>
    </>
  );
}
