import type { CallData } from "~server/contract/calls/table";
import { parseMarks } from "~server/contract/marks";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import type { Owner } from "../owner";
import { countRows } from "../sql-fragments";
import type { DictionaryEntry, DictionaryOf } from "../voices/ports";

type Listed = CallData<"dictionary">;

export type Dictionary = ReturnType<typeof createDictionary>;

const wordsMax = 500;

/** The readings of words that an account has set, used in all its speech. */
export function createDictionary(db: Db) {
  const of: DictionaryOf = (accountId) =>
    db
      .selectFrom("dictionary_word")
      .select(["word", "pinyin"])
      .where("account_id", "=", accountId)
      .orderBy("created_at")
      .orderBy("word")
      .execute();
  const list = async (accountId: string) => ({ list: await of(accountId) });

  return {
    of,
    list,
    /** Adds a word or replaces its reading. Throws bad-request for a malformed word and for a full dictionary. */
    async put(accountId: string, entry: DictionaryEntry): Promise<Listed> {
      const { word, pinyin } = parseEntry(entry);
      await db.transaction().execute(async (trx) => {
        await trx
          .insertInto("dictionary_word")
          .values({ account_id: accountId, word, pinyin })
          .onConflict((conflict) => conflict.columns(["account_id", "word"]).doUpdateSet({ pinyin }))
          .execute();
        const words = trx.selectFrom("dictionary_word").where("account_id", "=", accountId);
        const data = { limit: wordsMax };
        if ((await countRows(words)) > wordsMax) throw new AppError("bad-request", "the dictionary is full", { data });
      });
      return list(accountId);
    },
    /** Idempotent. */
    async remove(accountId: string, word: string): Promise<Listed> {
      await db
        .deleteFrom("dictionary_word")
        .where("account_id", "=", accountId)
        .where("word", "=", word.normalize("NFC"))
        .execute();
      return list(accountId);
    },
    async forget(trx: Db, owner: Owner) {
      const [kind, id = ""] = owner.split(":");
      if (kind === "account") await trx.deleteFrom("dictionary_word").where("account_id", "=", id).execute();
    },
  };
}

const han = /^\p{Script=Han}+$/u;
const audible = /^[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}·'’.-]*$/u;

/** Requires one syllable per Chinese character; other words may have any number. */
function parseEntry({ word, pinyin }: DictionaryEntry): DictionaryEntry {
  const written = word.normalize("NFC");
  const syllables = pinyin.normalize("NFC").toLowerCase().replaceAll("ü", "v").split(/\s+/);
  if (!audible.test(written)) throw malformed("word");
  if (!syllables.every(isSyllable)) throw malformed("pinyin");
  if (han.test(written) && [...written].length !== syllables.length) throw malformed("pinyin");
  return { word: written, pinyin: syllables.join(" ") };
}

const isSyllable = (syllable: string) => {
  const [mark, ...rest] = parseMarks(`字(${syllable})`);
  return mark?.kind === "reading" && rest.length === 0;
};

const malformed = (field: string) => new AppError("bad-request", `malformed: ${field}`, { data: { fields: [field] } });
