import { createAccounts } from "../accounts/accounts";
import { createAccountKeys } from "../accounts/credentials";
import { createExport } from "../accounts/export";
import type { createMarkAgreements } from "../accounts/mark-agreements";
import { createOwnership } from "../accounts/ownership";
import type { createOnce } from "../db/idempotency";
import type { MediaFiles } from "../media/files";
import type { Messages } from "../messages/messages";
import { type Owner, ownerOf } from "../owner";
import type { Projects } from "../projects/projects";
import type { SmsSender } from "../sms/sender";
import type { Webhooks } from "../webhooks/webhooks";
import type { GenerationParts, Generations } from "./generations";
import type { createProofParts } from "./proofs";
import { createUsers } from "./user-info";
import type { VoiceSet } from "./voices";

interface AccountGiven
  extends Pick<GenerationParts, "db" | "queue" | "files" | "voices" | "billing" | "apiKeys" | "hitRate"> {
  once: ReturnType<typeof createOnce>;
  openFile: Parameters<typeof createExport>[0]["openFile"];
  sender: SmsSender | undefined;
  dataKey: string;
  generations: Generations;
  markAgreements: ReturnType<typeof createMarkAgreements>;
  messages: Pick<Messages, "read">;
  consentLinks: ReturnType<typeof createProofParts>["consentLinks"];
  projects: Projects;
  webhooks: Webhooks;
}

/** Accounts with everything that goes when they go, and their export. */
export function createAccountParts(given: AccountGiven) {
  const { db, once, queue, files, sender, hitRate, voices, generations, billing } = given;
  const { apiKeys, markAgreements, consentLinks, webhooks, projects } = given;
  const keys = createAccountKeys(given.dataKey);
  const ofAccount = [markAgreements, consentLinks, webhooks, projects];
  const ownership = createOwnership({
    keepers: [apiKeys, ...keepersOf(voices, generations, billing.closing), ...ofAccount],
    answers: once,
    files,
    async removeStale() {
      await voices.segments.sweep();
      await files.removeExpired();
    },
  });
  const accounts = createAccounts({
    ...{ db, once, queue, keys, sender, ownership, hitRate },
    trials: generations.trials,
    referrals: billing.referrals,
  });
  const exportAccount = createExport({
    ...{ db, keys, openFile: given.openFile },
    filesOf: createMarkedFiles(files, voices.renditions),
    async documentsOf(accountId) {
      const learned = await voices.profiles.listOf(ownerOf(accountId));
      const profiles = learned.map(({ fileId, open }) => ({ name: `voices/${fileId}`, open }));
      const saved = (await projects.idsOf(accountId)).map((id) => ({
        name: `projects/${id}`,
        open: () => projects.get(accountId, id),
      }));
      return [...profiles, ...saved];
    },
    records: recordsOf(voices, generations, given),
  });
  return { accounts, users: createUsers(db, keys), exportAccount };
}

/** The domains that keep rows by owner, in the order in which their rows are locked. */
function keepersOf(
  { recordings, renditions }: VoiceSet,
  generations: Generations,
  closing: GenerationParts["billing"]["closing"],
) {
  const { clones, dubs, videos, roles, reports, dictionary, events, trials, shares } = generations;
  return [
    videos,
    { counts: { clones: clones.count }, handOver: clones.handOver, forget: clones.forget },
    { counts: { dubs: dubs.count }, handOver: dubs.handOver, forget: dubs.forget },
    roles,
    reports,
    dictionary,
    events,
    trials,
    shares,
    recordings,
    renditions,
    closing,
  ];
}

/** One page of everything. */
const everything = { page: 1, pageSize: 100_000 };

/** The files of records in an account's export, by name. */
function recordsOf(
  { recordings }: VoiceSet,
  generations: Generations,
  { billing, markAgreements, messages, consentLinks, apiKeys, webhooks }: AccountGiven,
) {
  const { clones, dubs, videos, roles, reports, dictionary, trials, shares, videoTemplates } = generations;
  const byOwner = (list: (owner: Owner) => Promise<unknown>) => (id: string) => list(ownerOf(id));
  return {
    membership: (id: string) => billing.membership(id),
    orders: (id: string) => billing.orders(id, everything),
    ledger: (id: string) => billing.ledger(id, everything),
    recordings: byOwner(recordings.listOf),
    trials: byOwner(trials.listOf),
    roles: roles.listOf,
    reports: byOwner(reports.listOf),
    clones: byOwner(async (owner) => (await clones.list(owner, everything)).list),
    dubs: byOwner(async (owner) => (await dubs.list(owner, everything)).list),
    videos: byOwner(async (owner) => (await videos.list(owner, everything)).list),
    "video-templates": async (id: string) => (await videoTemplates.list(id)).list,
    dictionary: dictionary.of,
    shares: byOwner(shares.listOf),
    "audible-mark": markAgreements.listOf,
    "text-messages": (id: string) => messages.read(id),
    "consent-links": consentLinks.listOf,
    "api-keys": apiKeys.listOf,
    webhook: webhooks.read,
  };
}

/** An owner's files without those to play, which lack the audible mark. */
const createMarkedFiles =
  (files: Pick<MediaFiles, "listOf">, renditions: Pick<VoiceSet["renditions"], "playIdsOf">) =>
  async (owner: Owner) => {
    const unmarked = await renditions.playIdsOf(owner);
    return (await files.listOf(owner)).filter(({ id }) => !unmarked.has(id));
  };
