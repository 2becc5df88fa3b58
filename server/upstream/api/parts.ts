import type { CallData, CallRequest } from "~server/contract/calls/table";
import type { PublicVersion } from "~server/public-reads";
import type { Accounts } from "../accounts/accounts";
import type { ApiKeys } from "../accounts/api-keys";
import type { ExportAccount } from "../accounts/export";
import type { MarkAgreements } from "../accounts/mark-agreements";
import type { ReadStorage } from "../accounts/storage";
import type { Billing } from "../billing/billing";
import type { Clones } from "../generations/clones/clones";
import type { FollowSpeech } from "../generations/clones/follow";
import type { Dubs } from "../generations/dubs/dubs";
import type { ExportDub } from "../generations/dubs/export";
import type { AddMusic } from "../generations/dubs/music";
import type { Cue } from "../generations/dubs/subtitles/cues";
import type { TaskEvents } from "../generations/events";
import type { TaskActions } from "../generations/tasks";
import type { Trials } from "../generations/trials/trials";
import type { VideoTemplates } from "../generations/videos/templates";
import type { Videos } from "../generations/videos/videos";
import type { MediaFile, MediaFiles } from "../media/files";
import type { ServedFile, ServeRequest } from "../media/serve";
import type { Messages } from "../messages/messages";
import type { ConsoleDoor } from "../operations/console-door";
import type { Owner } from "../owner";
import type { Cashier } from "../payments/gateways/sandbox/cashier";
import type { Projects } from "../projects/projects";
import type { Dictionary } from "../scripts/dictionary";
import type { Samples } from "../scripts/samples";
import type { ShareFiles } from "../shares/files";
import type { Shares } from "../shares/shares";
import type { Reports } from "../square/reports";
import type { Square } from "../square/roles";
import type { Verify } from "../verify/verify";
import type { ConsentLinks } from "../voices/consent-links";
import type { Conversions } from "../voices/conversions";
import type { Portraits } from "../voices/portraits";
import type { SpeechParts, Spending } from "../voices/ports";
import type { Proofs } from "../voices/proofs/proofs";
import type { Recordings } from "../voices/recordings";
import type { Renditions } from "../voices/renditions";
import type { Revocations } from "../voices/revocations";
import type { Roles } from "../voices/roles/roles";
import type { UsableRoles } from "../voices/usable-roles";
import type { Webhooks } from "../webhooks/webhooks";
import type { FindUser } from "./auth";
import type { ReportError } from "./envelope";
import type { HitRate } from "./rate";

/** What the API's routes are made of. */
export interface ApiParts {
  /** Required as the `appid` header; "" accepts every caller. */
  appId: string;
  /** "embedded" where only the built-in engine speaks now. */
  engine(): "embedded" | "kokoro" | "other";
  /** The natural voice that comes by itself, until it is cancelled; undefined where none does. */
  naturalVoice: { read(): CallData<"naturalVoice">; cancel(): void } | undefined;
  /** The cloner that a person may install; undefined where people may not. */
  exactVoice: { read(): CallData<"exactVoice">; ask(): void; cancel(): void } | undefined;
  /** An engine speaks designed voices well enough to be offered. */
  speaksDesigns: boolean;
  /** Companies that recordings are sent to. */
  vendors: string[];
  reportError: ReportError;
  hitRate: HitRate;
  publicVersion: PublicVersion;
  /** Jobs that `act` enqueues are logged with the request's id. */
  within<Result>(requestId: string, act: () => Promise<Result>): Promise<Result>;
  temporaryPath(): string;
  /** Of recordings and pictures; the contract's limit by default. */
  uploadMaxBytes?: number | undefined;

  accounts: Accounts;
  users: { findByToken: FindUser; getInfo(accountId: string): Promise<CallData<"userInfo">> };
  exportAccount: ExportAccount;
  readStorage: ReadStorage;
  markAgreements: MarkAgreements;
  messages: Messages;
  apiKeys: ApiKeys;
  webhooks: Webhooks;
  projects: Projects;
  billing: Billing;
  /** The sandbox gateway's cashier, if that gateway is configured. */
  cashier: Cashier | undefined;
  console: ConsoleDoor;

  files: {
    find: MediaFiles["find"];
    /** Checks the label and opens the bytes. */
    serve(file: MediaFile, request: ServeRequest): Promise<ServedFile>;
    /** Checks the label and returns an address in the bucket; null if the store has none. */
    link(file: MediaFile, fileName?: string): Promise<string | null>;
    ofShares: ShareFiles;
  };
  recordings: Recordings;
  renditions: Pick<Renditions, "exportOf">;
  conversions: Conversions;
  portraits: Portraits;
  addMusic: AddMusic;
  verify: Verify["verify"];
  roles: Roles;
  usableRoles: UsableRoles;
  revocations: Revocations;
  /** Undefined where no proof is asked for. */
  proofs: Proofs | undefined;
  consentLinks: ConsentLinks;
  square: Square;
  reports: Reports;
  shares: Shares;

  /** `transcribe` is undefined without an installed recogniser. */
  speech: Pick<SpeechParts, "designs" | "findPolyphones" | "transcribe">;
  clones: Clones;
  followSpeech: FollowSpeech;
  dubs: Dubs;
  exportDub: ExportDub;
  trials: Trials;
  videos: Videos;
  videoTemplates: VideoTemplates;
  listWorks(owner: Owner, query: CallRequest<"workList">): Promise<CallData<"workList">>;
  events: TaskEvents;
  actions: TaskActions;
  allowanceOf: Spending["allowanceOf"];
  dictionary: Dictionary;
  samples: Samples;
  /** Subtitles as a file; times in milliseconds. */
  writeSubtitles(format: "srt" | "vtt", cues: Cue[]): string;
}
