import { mkdirSync } from "node:fs";
import { modelsFolder, usableEngines } from "~server/settings/installed";
import { modelSets, readArrival, readAsked, setAsked, sizeOf } from "../../speech/index";
import type { ApiParts } from "../api/parts";
import type { UpstreamConfig } from "./parts";
import { cloner as name, type Wanting } from "./wanted-voices";

const steps = { files: "arriving", runtime: "trying", trying: "trying", failed: "failed" } as const;

/**
 * The cloner that one press installs; undefined in production, where its licence is the operator's matter, with
 * `VOICES=none`, and where the settings name other engines.
 */
export function createExactVoice({ mode, speech, dataDir }: Wanting & Pick<UpstreamConfig, "mode">) {
  const engine = speech?.engines.find((each) => each.name === "sherpa" && each.isInstallable);
  const comesNone = !speech?.isUnasked && speech?.wantedModels?.length === 0;
  const set = modelSets[name];
  if (mode !== "demo" || !engine || comesNone || !set) return undefined;
  const folder = modelsFolder(dataDir);
  const { title, licence, mayBeSold, about } = set;
  const size = sizeOf(set).bytes;

  const stateOf = (step: keyof typeof steps | undefined, isAsked: boolean) => {
    if (usableEngines([engine]).length > 0) return "speaking";
    if (step && !(isAsked && step === "failed")) return steps[step];
    return isAsked ? "queued" : "absent";
  };
  const voice: NonNullable<ApiParts["exactVoice"]> = {
    read() {
      const arrival = readArrival(folder, name);
      const isAsked = readAsked(folder).includes(name);
      const state = stateOf(arrival?.step, isAsked);
      const { received = 0, bytesPerSecond = 0, fault = "other" } = arrival ?? {};
      const figures = { received, total: arrival?.total || size, bytesPerSecond };
      const isCancellable = isAsked && state !== "speaking";
      const terms = { title, licence, mayBeSold, about };
      return { state, ...figures, isCancellable, fault: state === "failed" ? fault : null, ...terms };
    },
    ask() {
      mkdirSync(folder, { recursive: true });
      if (voice.read().state !== "speaking") setAsked(folder, name, true);
    },
    cancel: () => setAsked(folder, name, false),
  };
  return voice;
}
