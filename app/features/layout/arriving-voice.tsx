import { useRevalidator } from "@remix-run/react";
import { useEffect, useState } from "react";
import { arrivingVoiceCopy, downloadSentence } from "~/copy/site";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import type { CallData } from "~server/contract/calls/table";

export type NaturalVoice = CallData<"naturalVoice">;

const askEveryMs = 2_000;
const answerMs = 10_000;

async function ask(method: "GET" | "POST"): Promise<NaturalVoice> {
  const response = await fetch(paths.naturalVoice, { method, signal: AbortSignal.timeout(answerMs) });
  if (!response.ok) throw new Error(`${paths.naturalVoice} answers ${response.status}`);
  return ((await response.json()) as { voice: NaturalVoice }).voice;
}

const hasNotice = ({ state }: NaturalVoice) => state === "arriving" || state === "trying" || state === "waiting";

/** A slim notice while the product fetches its natural voice. It goes by itself, and the page then names the new engine. */
export function ArrivingVoice({ initial }: { initial: NaturalVoice }) {
  const [voice, setVoice] = useState(initial);
  const { revalidate } = useRevalidator();
  const isShown = hasNotice(voice);
  useEffect(() => {
    if (!isShown) return;
    const timer = setInterval(() => {
      // The next answer may arrive where one fails.
      if (!document.hidden) ask("GET").then(setVoice, () => {});
    }, askEveryMs);
    return () => clearInterval(timer);
  }, [isShown]);
  useEffect(() => {
    if (voice.state === "speaking") revalidate();
  }, [voice.state, revalidate]);
  if (!isShown) return null;

  const cancel = () => ask("POST").then(setVoice, () => {});
  const { received, total } = voice;
  return (
    <aside aria-label={arrivingVoiceCopy.label} className="border-b border-line bg-wash">
      <div className="mx-auto flex min-h-[44px] max-w-page items-center gap-3 px-4 text-sm md:px-6">
        <p className="tabular flex-1 py-2 text-muted">{sentenceOf(voice)}</p>
        {voice.isCancellable && (
          <Button kind="quiet" onClick={cancel}>
            {arrivingVoiceCopy.cancel}
          </Button>
        )}
      </div>
      {voice.state === "arriving" && (
        <progress aria-label={arrivingVoiceCopy.progress} className="voice-progress" max={total} value={received} />
      )}
    </aside>
  );
}

const sentenceOf = ({ state, ...figures }: NaturalVoice): string =>
  state === "trying" || state === "waiting"
    ? arrivingVoiceCopy[state]
    : arrivingVoiceCopy.arriving(downloadSentence(figures));
