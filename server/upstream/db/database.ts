import type { Kysely } from "kysely";
import type { AccountDeletionTable, AccountTable, LoginCodeTable, LoginTokenTable } from "./tables/account";
import type {
  AuditTable,
  LedgerTable,
  MembershipGrantTable,
  NotificationCountTable,
  PayAttemptTable,
  PayComparisonTable,
  PayMistakeTable,
  PayOrderTable,
  PayRefundTable,
  ProductTable,
  QuotaBucketTable,
  QuotaReservationTable,
  WalletTable,
} from "./tables/billing";
import type { CloneTable } from "./tables/clone";
import type { DubLineTable, DubTable } from "./tables/dub";
import type { ContentTable, FingerprintKeyTable, FingerprintTable } from "./tables/fingerprint";
import type { IdempotencyTable } from "./tables/idempotency";
import type { JobTable } from "./tables/job";
import type { MediaFileTable } from "./tables/media";
import type { RateTable } from "./tables/rate";
import type { RecordingTable } from "./tables/recording";
import type { RenditionTable } from "./tables/rendition";
import type { RoleConsentTable, RoleReportTable, RoleTable } from "./tables/role";
import type { SandboxKeyTable, SandboxRefundTable, SandboxTradeTable } from "./tables/sandbox";
import type { DictionaryWordTable, ScriptSampleTable } from "./tables/script";
import type { SegmentTable } from "./tables/segment";
import type { TaskEventTable } from "./tables/task-event";
import type { TrialAllowanceTable, TrialHoldTable, TrialTable } from "./tables/trial";

export interface Tables {
  job: JobTable;
  content: ContentTable;
  fingerprint: FingerprintTable;
  fingerprint_key: FingerprintKeyTable;
  idempotency: IdempotencyTable;
  media_file: MediaFileTable;
  rate: RateTable;
  recording: RecordingTable;
  rendition: RenditionTable;
  role: RoleTable;
  role_consent: RoleConsentTable;
  role_report: RoleReportTable;
  segment: SegmentTable;
  dictionary_word: DictionaryWordTable;
  script_sample: ScriptSampleTable;
  dub: DubTable;
  dub_line: DubLineTable;
  clone: CloneTable;
  task_event: TaskEventTable;
  trial: TrialTable;
  trial_allowance: TrialAllowanceTable;
  trial_hold: TrialHoldTable;
  account: AccountTable;
  account_deletion: AccountDeletionTable;
  login_code: LoginCodeTable;
  login_token: LoginTokenTable;
  audit: AuditTable;
  ledger: LedgerTable;
  membership_grant: MembershipGrantTable;
  notification_count: NotificationCountTable;
  pay_attempt: PayAttemptTable;
  pay_mistake: PayMistakeTable;
  pay_comparison: PayComparisonTable;
  pay_order: PayOrderTable;
  pay_refund: PayRefundTable;
  product: ProductTable;
  quota_bucket: QuotaBucketTable;
  quota_reservation: QuotaReservationTable;
  wallet: WalletTable;
  sandbox_key: SandboxKeyTable;
  sandbox_refund: SandboxRefundTable;
  sandbox_trade: SandboxTradeTable;
}

/** The database, or a transaction on it. Inside a transaction use only that: the embedded engine has one connection. */
export type Db = Kysely<Tables>;
