import { data, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, type MetaFunction, useLoaderData } from "@remix-run/react";
import { useRef, useState } from "react";
import { sentenceFor } from "~/copy/errors";
import { trialCopy, trialResultCopy } from "~/copy/home";
import { sayCopy, shareCopy, personPageCopy as words } from "~/copy/share";
import { siteCopy } from "~/copy/site";
import { squareCopy } from "~/copy/square";
import { askToBuy, askToLogIn, rememberAction, takeAction } from "~/dialog-requests";
import { useAccount } from "~/features/account/provider";
import { failureMeta, pageMeta } from "~/features/layout/page";
import { toDownloads } from "~/features/player/downloads";
import { usePlayer } from "~/features/player/provider";
import { usePreviews, wantsStillness } from "~/features/player/use-previews";
import { Picture, toSquareHuman } from "~/features/portrait/picture";
import { ShareButton } from "~/features/share/share-button";
import { SpeakingPortrait } from "~/features/share/speaking-portrait";
import { Captions, SayField } from "~/features/tasks/say";
import { type Said, useSay } from "~/features/tasks/use-say";
import { useTheme } from "~/features/theme/theme";
import { notify } from "~/features/toasts/notify";
import { paths } from "~/paths";
import { Badge, buttonClass, ListenButton } from "~/ui/button";
import { Card, Tags } from "~/ui/card";
import { LiveRegion } from "~/ui/feedback";
import { readTrialCount } from "~server/bff/accounts.server";
import { throwIfLoginExpired, throwShown } from "~server/bff/json-route.server";
import { findSquareHuman } from "~server/bff/roles.server";
import { entitlementReasonOf } from "~server/contract/codes";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

export async function loader({ params, context: { upstream, session } }: LoaderFunctionArgs) {
  const human = await findSquareHuman(upstream, params.id ?? "").catch((error: unknown) => {
    throwIfLoginExpired(error, session, paths.loginExpired);
    return throwShown(error);
  });
  if (!human) throw data(null, { status: 404 });
  return { human: toSquareHuman(human), trials: await readTrialCount({ upstream, session }) };
}

export const meta: MetaFunction<typeof loader> = ({ data: loaded, error, matches }) => {
  if (!loaded) return failureMeta(error, matches);
  const { name, describe } = loaded.human;
  const page = { title: words.title(name), description: words.description(name, describe) };
  const person = { "@context": "https://schema.org", "@type": "ProfilePage", name: page.title };
  return [
    ...pageMeta(page, matches),
    { "script:ld+json": { ...person, mainEntity: { "@type": "Person", name, description: describe } } },
  ];
};

/** A person of the square: portrait, preview, words, and what can be made with the voice. */
export default function PersonPage() {
  const { human, trials } = useLoaderData<typeof loader>();
  const { colorMode } = useTheme();
  const { account } = useAccount();
  const player = usePlayer();
  const { stateOf } = usePreviews();
  const { roleId, name, describe, tags, useNum, voiceUrl, timelineUrl } = human;
  const stage = useRef<HTMLDivElement>(null);
  const showFace = () =>
    stage.current?.scrollIntoView({ block: "nearest", behavior: wantsStillness() ? "auto" : "smooth" });
  const saying = useSaying(human, { trials, onSaid: showFace });
  const { said } = saying;
  const spoken = said && stateOf({ name, describe, ...said.result });
  const isSaying = spoken?.sound === "playing";
  return (
    <article className="mx-auto grid max-w-page grid-cols-[minmax(0,1fr)] gap-6 px-4 py-8 md:grid-cols-2 md:gap-12 md:px-6 md:py-12">
      <div className="grid scroll-mt-20 content-start gap-3" ref={stage}>
        <SpeakingPortrait
          isSilenced={isSaying}
          label={words.listen(name)}
          onPlay={() => player.isPlaying && player.toggle()}
          picture={(isSpeaking, speech) => (
            <Picture
              colorMode={colorMode}
              human={human}
              isSpeaking={isSpeaking || isSaying}
              speech={isSaying ? spoken.speech : speech}
            />
          )}
          sound={paths.media(voiceUrl)}
          timeline={timelineUrl && paths.media(timelineUrl)}
        />
        {said && <SaidLine name={name} said={said} state={stateOf({ name, describe, ...said.result })} />}
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
        <div className="flex items-center gap-3">
          <h1 className="font-song text-3xl font-semibold md:text-4xl" translate="no">
            {name}
          </h1>
          <Badge>{siteCopy.aiBadge}</Badge>
        </div>
        <p className="text-lg text-muted">{describe}</p>
        <Card className="grid gap-2 p-4">
          <SayField
            action={
              saying.isUsedUp
                ? trialCopy.usedUp[account.isLogin ? "member" : "visitor"]
                : saying.isSaid
                  ? sayCopy.again
                  : undefined
            }
            isPending={saying.isPending}
            name={name}
            onSay={saying.say}
            onText={saying.write}
            text={saying.text}
          />
          <LiveRegion>{saying.isPending ? trialCopy.working : said ? trialResultCopy.done : ""}</LiveRegion>
        </Card>
        <div className="mt-2 flex flex-wrap gap-3">
          <Link className={buttonClass({ kind: "primary", size: "large" })} to={paths.cloneWith(roleId)}>
            {words.clone}
          </Link>
          <Link className={buttonClass({ size: "large" })} to={paths.dubbingWith(roleId)}>
            {words.dub}
          </Link>
        </div>
        <Tags tags={tags} />
        {useNum ? <p className="tabular text-sm text-muted">{squareCopy.uses(useNum)}</p> : null}
        <Link
          className="inline-flex min-h-[44px] items-center text-sm text-muted underline underline-offset-4"
          to={paths.square}
        >
          {words.square}
        </Link>
      </div>
    </article>
  );
}

interface SayingOptions {
  trials: { used: number; max: number };
  onSaid(): void;
}

/** Lets the person say what is written; a visitor without trials logs in first, and the sentence is said then. */
function useSaying({ roleId, name }: { roleId: string; name: string }, { trials, onSaid }: SayingOptions) {
  const player = usePlayer();
  const { account } = useAccount();
  const [{ used, max }, setTrials] = useState(trials);
  const isUsedUp = used >= max && !account.isVip && !account.isSvip;
  const requireMore = () => (account.isLogin ? askToBuy({ packageType: "tier" }) : askToLogIn("trials-used"));
  const saying = useSay({
    roleId,
    onCounted: (now, most) => setTrials({ used: now, max: most }),
    onSaid({ text, result }) {
      onSaid();
      player.play(toTrack(name, text, result));
    },
    onRefused(refusal) {
      if (refusal.code === "login-expired") return rememberAction("trials-used");
      notify({ kind: "error", text: sentenceFor(refusal) });
      const reason = refusal.code === "entitlement" ? entitlementReasonOf(refusal.data) : null;
      if (reason === "trial") setTrials({ used: max, max });
      if (reason) requireMore();
    },
    onRestored(say) {
      if (takeAction() !== "trials-used") return;
      if (isUsedUp) requireMore();
      else say();
    },
  });
  return { ...saying, isUsedUp, say: isUsedUp ? requireMore : saying.say };
}

/** Track of the generated sound, for the player. */
function toTrack(name: string, text: string, result: Said["result"]) {
  const file = `${name}-${[...text.replace(/\s/g, "")].slice(0, 10).join("")}`;
  return {
    url: paths.media(result.voiceUrl),
    title: name,
    subtitle: text,
    ...(result.timelineUrl && { timelineUrl: paths.media(result.timelineUrl) }),
    downloads: toDownloads(result, (format) => `${file}.${format}`),
  };
}

interface SaidLineProps {
  name: string;
  said: Said;
  state: ReturnType<ReturnType<typeof usePreviews>["stateOf"]>;
}

/** The sentence that was said: heard again, read along, shared. */
function SaidLine({ name, said, state }: SaidLineProps) {
  const player = usePlayer();
  const isPlaying = state.sound === "playing";
  const listen = () => (isPlaying ? player.toggle() : player.play(toTrack(name, said.text, said.result)));
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-card bg-wash px-3 py-2">
      <div className="min-w-0 flex-[1_1_17rem]">
        <Captions speech={state.speech} text={said.text}>
          <ListenButton
            label={isPlaying ? trialResultCopy.pause : trialResultCopy.play}
            onClick={listen}
            sound={state.sound}
          />
        </Captions>
      </div>
      <ShareButton className={`ml-auto ${buttonClass({ kind: "quiet" })}`} id={said.result.taskId} kind="trial">
        {shareCopy.open}
      </ShareButton>
    </div>
  );
}
