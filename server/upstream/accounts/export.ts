import { Readable } from "node:stream";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import type { MediaFile } from "../media/files";
import type { Owner } from "../owner";
import type { AccountKeys } from "./credentials";
import { type ZipEntry, zip } from "./zip";

/** Everything the product keeps of an account, as a zip that is made while it is read. */
export type ExportAccount = (accountId: string) => Promise<AsyncIterable<Uint8Array>>;

interface ExportParts {
  db: Db;
  keys: Pick<AccountKeys, "openPhone">;
  /** What may leave for keeping: of generated speech the files with the audible mark. */
  filesOf(owner: Owner): Promise<MediaFile[]>;
  /** Through the choke point: throws for generated speech without its label. */
  openFile(file: MediaFile): Promise<AsyncIterable<Uint8Array>>;
  /** By its name in the archive: rows that tell of what the account did. */
  records: Record<string, (accountId: string) => Promise<unknown>>;
}

/** Beyond it the archive's format ends. */
const maxBytes = 4_000_000_000;
const maxFiles = 60_000;

export function createExport({ db, keys, filesOf, openFile, records }: ExportParts): ExportAccount {
  const accountOf = async (id: string) => {
    const row = await db.selectFrom("account").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    return { accountId: id, phone: keys.openPhone(row.phone_sealed), createdAt: row.created_at };
  };
  return async (accountId) => {
    const files = await filesOf(`account:${accountId}`);
    if (files.length > maxFiles || files.reduce((sum, { bytes }) => sum + bytes, 0) > maxBytes) {
      throw new AppError("failure", "too much for one archive");
    }
    const written = [jsonEntry("account", await accountOf(accountId))];
    for (const [name, read] of Object.entries(records)) written.push(jsonEntry(name, await read(accountId)));
    const fileEntries = files.map((file) => ({
      name: `files/${file.id}.${file.format}`,
      size: file.bytes,
      open: () => openFile(file),
    }));
    const leftOut: string[] = [];
    return zip(endingWith([...written, ...fileEntries], leftOut), (name) => leftOut.push(name));
  };
}

/** Says at the end what could not be opened. */
function* endingWith(entries: ZipEntry[], leftOut: string[]): Generator<ZipEntry> {
  yield* entries;
  if (leftOut.length > 0) yield jsonEntry("left-out", leftOut);
}

function jsonEntry(name: string, value: unknown): ZipEntry {
  const bytes = Buffer.from(JSON.stringify(value, null, 2));
  const open = async () => Readable.from([bytes]);
  return { name: `${name}.json`, size: bytes.length, open };
}
