import { useEffect } from "react";
import { syncDocument } from "~/state/account-document";
import { useHasCall } from "~/state/capabilities";
import { createSavedValue, isAccountsDocument, owned } from "~/ui/store";
import { usePlayerStage } from "./provider";

export const speeds = [0.75, 1, 1.25, 1.5, 2];

/** The speed that a person chose last, and when, in Unix milliseconds. */
interface KeptSpeed {
  speed: number;
  changedAt: number;
}

export function parseSpeed(json: unknown): KeptSpeed | null {
  const { speed, changedAt } = (json ?? {}) as Partial<KeptSpeed>;
  return speed !== undefined && speeds.includes(speed) && Number.isFinite(changedAt) ? (json as KeptSpeed) : null;
}

/** The later choice. */
export const laterSpeed = (own: KeptSpeed | null, other: KeptSpeed | null): KeptSpeed | null =>
  own && other ? (other.changedAt > own.changedAt ? other : own) : (own ?? other);

const saved = createSavedValue(owned("player"), parseSpeed, "local");

/** Brings the choice of this browser and the account's together. */
async function syncSpeed(): Promise<KeptSpeed | null> {
  const kept = await syncDocument<KeptSpeed>({
    ...{ kind: "player", projectId: "player", parse: parseSpeed },
    toDocument: (value) => ({ ...value }),
    merge: (account) => laterSpeed(saved.read(), account),
  });
  if (kept) saved.write(kept);
  return kept;
}

type Stage = Pick<ReturnType<typeof usePlayerStage>, "dispatch" | "media">;

function setSpeed({ dispatch, media }: Stage, speed: number): void {
  dispatch({ type: "speed", speed });
  if (!media) return;
  // The default one survives the next load.
  media.defaultPlaybackRate = speed;
  media.playbackRate = speed;
}

/** The player goes on at the speed that was chosen last, in this browser or on the member's others. Returns how to choose. */
export function useKeptSpeed(): (speed: number) => void {
  const { dispatch, media } = usePlayerStage();
  const isInAccount = useHasCall("projectPut") && isAccountsDocument();
  useEffect(() => {
    const apply = (kept: KeptSpeed | null) => kept && setSpeed({ dispatch, media }, kept.speed);
    apply(saved.read());
    // A failure leaves the choice of this browser.
    if (isInAccount) syncSpeed().then(apply, () => {});
  }, [dispatch, media, isInAccount]);
  return (speed) => {
    setSpeed({ dispatch, media }, speed);
    saved.write({ speed, changedAt: Date.now() });
    if (isInAccount) syncSpeed().catch(() => {});
  };
}
