import { editorCopy } from "~/copy/dubbing";
import { dubGenerationCopy } from "~/copy/dubbing-records";
import { sentenceFor } from "~/copy/errors";
import { formatDetail } from "~/copy/format";
import { askToBuy } from "~/features/checkout/buy-flag";
import { askToConfirm } from "~/features/confirm/confirm";
import { notify } from "~/features/toasts/notify";
import type { Dub } from "~server/bff/generations.server";
import type { Refusal } from "~server/bff/refusal.server";
import { entitlementReasonOf } from "~server/contract/codes";
import { costOf, keyOf } from "./editor/cost";
import { isBlank, type ScriptLine } from "./editor/script";
import { useListening } from "./generation/use-listening";
import { isScriptOf } from "./script-of-dub";
import { useAfterLogin } from "./use-after-login";
import type { Workshop } from "./use-dub-session";

/** Making the script and hearing it. `onUncast` asks for the role of a line nobody speaks. */
export function usePerforming(workshop: Workshop, onUncast: (id: string) => void) {
  const { store, making, states, dub, running, price, isLogin, nameOf } = workshop;
  const { made, followed } = making;
  const isBeingMade = ({ id }: ScriptLine) => ["running", "waiting"].includes(states.get(id)?.kind ?? "");
  const listening = useListening({
    getScript: store.get,
    made,
    along: workshop.along,
    nameOf,
    isPending: (line) => isBeingMade(line) || followed.some(({ status }) => status === 1),
  });
  const askLogin = useAfterLogin({ make: () => void make(), listen: (ids) => void listenTo(ids) }, workshop.kept.flush);
  workshop.onRefused.current = (refusal, sent) => tellRefusal(workshop, refusal, sent, () => askLogin("make", []));

  /** The first line nobody speaks, told; true when there is none. */
  const isCast = (some: readonly ScriptLine[]) => {
    const missing = some.find(({ roleId }) => !roleId);
    if (!missing) return true;
    notify({ kind: "warning", text: dubGenerationCopy.cost.noRole(store.get().lines.indexOf(missing) + 1) });
    onUncast(missing.id);
    return false;
  };
  const written = () => store.get().lines.filter((line) => !isBlank(line));

  async function make() {
    const lines = written();
    if (lines.length === 0 || !isCast(lines)) return;
    if (!isLogin) return askLogin("make", []);
    const started = await making.start(store.get(), lines, false);
    if (started) workshop.setDubbId(started.dubbId);
  }

  /** These lines one after the other; what is not made yet is made first, its price having been told. */
  async function listenTo(ids: readonly string[]) {
    const some = written().filter(({ id }) => ids.includes(id));
    const missing = some.filter((line) => !made.has(keyOf(line)) && !isBeingMade(line));
    if (some.length === 0 || !isCast(missing)) return;
    if (missing.length > 0) {
      if (!isLogin) return askLogin("listen", ids);
      if (!(await isTakeWanted(workshop, missing, ids.length > 1))) return;
      if (!(await making.start(store.get(), missing, true))) return;
    }
    listening.listen(some.map(({ id }) => id));
  }

  return {
    listening,
    askLogin,
    make,
    listenTo,
    listenLine: (id: string) => (listening.sounding?.id === id ? listening.toggle() : void listenTo([id])),
    listenFrom(id: string) {
      const ids = written().map((line) => line.id);
      void listenTo(ids.slice(Math.max(0, ids.indexOf(id))));
    },
    /** The whole script: as one when it is made as it stands, else line by line. */
    listenAll() {
      if (listening.isListening || listening.isPaused) return listening.toggle();
      const ids = written().map(({ id }) => id);
      if (running) return listening.listen(ids);
      if (dub?.status === 2 && isScriptOf(dub, written()) && (price.changed === 0 || !hasLineFiles(dub)))
        return listening.listenWhole(dub);
      void listenTo(ids);
    },
  };
}

/** False on an upstream that keeps one file per dub: its lines can be heard only as a whole. */
const hasLineFiles = (dub: Dub) => dub.lines.some(({ voiceUrl }) => voiceUrl);

export type Performing = ReturnType<typeof usePerforming>;

/** One line's price stands beside its button; more than one, and trials, are asked about. */
async function isTakeWanted({ price, making }: Workshop, missing: readonly ScriptLine[], isMany: boolean) {
  const tier = price.allowance?.tier ?? null;
  if (tier !== null && !isMany) return true;
  const { characters, changed } = costOf(missing, making.made);
  const text =
    tier === null
      ? dubGenerationCopy.takeTrial(changed.length, Math.max(0, (price.allowance?.left ?? 0) - 1))
      : dubGenerationCopy.takeText(changed.length, characters);
  return askToConfirm({
    title: dubGenerationCopy.takeTitle,
    text,
    confirm: dubGenerationCopy.take,
    cancel: dubGenerationCopy.takeCancel,
  });
}

/** In the upstream's own words; code 1001 with a known reason asks to buy, and what concerns a line leads to it. */
function tellRefusal(
  { store, nameOf }: Workshop,
  refusal: Refusal,
  sent: readonly ScriptLine[],
  onLoginExpired: () => void,
) {
  if (refusal.code === "entitlement" && entitlementReasonOf(refusal.data)) askToBuy();
  if (refusal.code === "login-expired") return onLoginExpired();
  const line = sent[Number(refusal.data?.line ?? Number.NaN)];
  const place = line ? store.get().lines.findIndex(({ id }) => id === line.id) + 1 : 0;
  if (line) store.wishCaret({ id: line.id, at: line.content.length });
  const sentence = sentenceFor(refusal);
  const text = place > 0 ? formatDetail(editorCopy.line(place, nameOf(line?.roleId ?? "")), sentence) : sentence;
  notify({ kind: "error", text });
}
