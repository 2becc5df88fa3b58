import type { Kysely } from "kysely";
import type { AccountTables } from "./tables/accounts";
import type { BillingTables } from "./tables/billing";
import type { GenerationTables } from "./tables/generations";
import type { PaymentTables } from "./tables/payments";
import type { VoiceTables } from "./tables/voices";

export interface Tables extends AccountTables, BillingTables, PaymentTables, VoiceTables, GenerationTables {}

/** The database, or a transaction on it. Inside a transaction use only that: the embedded engine has one connection. */
export type Db = Kysely<Tables>;
