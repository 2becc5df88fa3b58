import { type SqlBool, sql } from "kysely";
import type { CallData, CallRequest } from "~server/contract/calls/table";
import { portraitAddressOf } from "~server/contract/file-address";
import type { Db } from "../db/database";
import { allOf, contains, hasGrams, isGram, type ListOrder, orderOf, readPage, searchWords } from "../sql-fragments";

export type SquareRole = CallData<"squareList">["list"][number];
type SquareQuery = CallRequest<"squareList">;

export type Square = ReturnType<typeof createSquare>;

/** Each is the order of an index. */
const orders: Record<"popular" | "newest" | "name", ListOrder> = {
  popular: [
    ["use_num", "desc"],
    ["home_rank", "asc"],
    ["role.id", "asc"],
  ],
  newest: [
    ["role.created_at", "desc"],
    ["role.id", "asc"],
  ],
  name: [
    ["name", "asc"],
    ["role.id", "asc"],
  ],
};

/** Written out: a parameter would hide from the planner which indices it may use. */
const isShown = sql<SqlBool>`is_shown`;

const selected = (db: Db) =>
  db
    .selectFrom("role")
    .leftJoin("rendition", "rendition.id", "role.preview_id")
    .select(["role.id", "name", "describe", "tags", "gender", "language", "use_num", "category"])
    .select(["avatar_id", "portrait", "play_url", "timeline_url"])
    .where(isShown);

/** Published roles. */
export function createSquare(db: Db) {
  return {
    async list({
      page,
      pageSize,
      roleId,
      keyword,
      category,
      gender,
      language,
      sort = "popular",
    }: SquareQuery): Promise<{ list: SquareRole[]; total: number; page: number; pageSize: number }> {
      let ids = db.selectFrom("role").select("role.id").where(isShown);
      for (const word of searchWords(keyword ?? "")) ids = ids.where(matches(word));
      if (roleId) ids = ids.where("role.id", "=", roleId);
      if (category) ids = ids.where("category", "=", category);
      if (gender) ids = ids.where("gender", "=", gender);
      if (language) ids = ids.where("language", "=", language);
      const found = await readPage(ids, orders[sort], { page, pageSize, keyword }, (shown) =>
        selected(db).where("role.id", "in", shown).orderBy(orderOf(orders[sort])).execute(),
      );
      return { ...found, list: found.list.map(toSquareRole) };
    },
    /** The roles of the home page, in their order. */
    async home(size: number): Promise<SquareRole[]> {
      const rows = await selected(db).where("home_rank", "is not", null).orderBy("home_rank").limit(size).execute();
      return rows.map(toSquareRole);
    },
  };
}

/** The word occurs in the name, the description, the category or a tag. */
function matches(word: string) {
  if (isGram(word)) return hasGrams(word);
  const texts = [sql.ref("name"), sql.ref("describe"), sql.ref("category"), sql`array_to_string(tags, ' ')`];
  return allOf([
    hasGrams(word),
    sql<SqlBool>`(${sql.join(
      texts.map((text) => contains(text, word)),
      sql` or `,
    )})`,
  ]);
}

interface RoleRow extends Pick<SquareRole, "name" | "describe" | "tags" | "gender" | "language" | "category"> {
  id: string;
  avatar_id: string | null;
  play_url: string | null;
  timeline_url: string | null;
  use_num: number;
  portrait: unknown;
}

function toSquareRole({ id, avatar_id, play_url, timeline_url, use_num, portrait, ...row }: RoleRow): SquareRole {
  const preview = { voiceUrl: play_url ?? "", timelineUrl: timeline_url ?? "" };
  const drawn = { portrait: portrait as SquareRole["portrait"], avatar: portraitAddressOf(avatar_id) };
  return { ...row, ...preview, ...drawn, roleId: id, audioId: id, useNum: use_num };
}
