import { sql } from "kysely";
import type { Db } from "../../db/database";
import type { Bucket } from "./split";

export interface BucketRow {
  bucket: Bucket;
  total: number;
  used: number;
  reserved: number;
}

export const readBuckets = (db: Db, accountId: string, month: string): Promise<BucketRow[]> =>
  db
    .selectFrom("quota_bucket")
    .select(["bucket", "total", "used", "reserved"])
    .where("account_id", "=", accountId)
    .where("month", "=", month)
    .execute();

export interface Which {
  accountId: string;
  month: string;
  bucket: Bucket;
}

export async function changeBucket(
  trx: Db,
  { accountId, month, bucket }: Which,
  by: { total?: number; used?: number; reserved?: number },
) {
  await sql`update quota_bucket set total = total + ${by.total ?? 0}::int, used = used + ${by.used ?? 0}::int,
    reserved = reserved + ${by.reserved ?? 0}::int
    where account_id = ${accountId} and month = ${month} and bucket = ${bucket}`.execute(trx);
}
