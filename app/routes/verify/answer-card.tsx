import { useEffect, useRef } from "react";
import { verdictCopy, verifyCopy, verifyFactsCopy } from "~/copy/verify";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { Icon } from "~/ui/icons/icon";
import { Seal } from "~/ui/seal";
import type { Verified } from "./send";

interface AnswerCardProps {
  name: string;
  verified: Verified;
  onAnother(): void;
}

const looks = {
  other: { icon: "close", color: "text-ink" },
  unclear: { icon: "alert", color: "text-gold" },
} as const;

/** The answer, what it rests on, and nothing that looks surer than it is. */
export function AnswerCard({ name, verified, onAnother }: AnswerCardProps) {
  const { ours, labelled, generatedAt, contentId, by } = verified;
  const look = looks[ours === false ? "other" : "unclear"];
  const answer = verdictCopy[ours ? (by ?? "fingerprint") : ours === false ? "other" : "unclear"];
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that was pressed is gone; the answer is what comes next.
  useEffect(() => heading.current?.focus(), []);
  return (
    <Card className="p-6 md:p-8">
      <h2 className="flex items-center gap-3 font-song text-2xl font-semibold outline-none" ref={heading} tabIndex={-1}>
        {ours ? <Seal size={36} /> : <Icon className={`shrink-0 ${look.color}`} name={look.icon} size={28} />}
        {answer.heading}
      </h2>
      <p className="mt-3 max-w-[36em] text-muted">{answer.sentence}</p>
      <dl className="mt-6 grid gap-x-6 gap-y-1 border-t border-line pt-5 text-sm sm:grid-cols-[auto_1fr] sm:gap-y-3">
        <Fact name={verifyCopy.file} value={name} />
        {generatedAt && <Fact name={verifyFactsCopy.generatedAt} value={formatMoment(generatedAt)} />}
        {contentId && <Fact name={verifyFactsCopy.contentId} value={contentId} />}
        <Fact
          name={verifyFactsCopy.label}
          value={verifyFactsCopy.labelled[labelled === null ? "unknown" : labelled ? "yes" : "no"]}
        />
      </dl>
      <Button className="mt-6" onClick={onAnother}>
        <Icon name="retake" size={18} />
        {verifyCopy.another}
      </Button>
    </Card>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="tabular mb-2 min-w-0 break-all sm:mb-0">{value}</dd>
    </>
  );
}

/** As it was in Shanghai: "2026-11-21 14:05:09". */
const formatMoment = (time: string) => time.slice(0, 19).replace("T", " ");
