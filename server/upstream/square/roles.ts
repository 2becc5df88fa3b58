import { type SqlBool, sql } from "kysely";
import type { CallRequest } from "~server/contract/calls/table";
import { portraitAddressOf } from "~server/contract/file-address";
import type { Db } from "../db/database";
import { allOf, contains, hasGrams, isGram, type ListOrder, orderOf, readPage, searchWords } from "../sql-fragments";

export interface SquareRole {
  roleId: string;
  audioId: string;
  name: string;
  describe: string;
  avatar: string;
  /** Address of the preview; "" until it exists. */
  voiceUrl: string;
  timelineUrl: string;
  tags: string[];
  gender: "male" | "female" | "unknown";
  language: string;
  useNum: number;
  category: string;
  /** Parameters of a drawn portrait; null if `avatar` is an image. */
  portrait: unknown;
}

type SquareQuery = CallRequest<"squareList">;

export interface Square {
  list(query: SquareQuery): Promise<{ list: SquareRole[]; total: number; page: number; pageSize: number }>;
  /** The roles of the home page, in their order. */
  home(size: number): Promise<SquareRole[]>;
}

const columns = [
  "role.id",
  "name",
  "describe",
  "avatar_id",
  "play_url",
  "timeline_url",
  "tags",
  "gender",
  "language",
  "use_num",
  "category",
  "portrait",
] as const;

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

/** Published roles. */
export function createSquare(db: Db): Square {
  const published = () => db.selectFrom("role").leftJoin("rendition", "rendition.id", "role.preview_id").where(isShown);
  return {
    async list({ page, pageSize, roleId, keyword, category, gender, language, sort = "popular" }) {
      let ids = db.selectFrom("role").select("role.id").where(isShown);
      for (const word of searchWords(keyword ?? "")) ids = ids.where(matches(word));
      if (roleId) ids = ids.where("role.id", "=", roleId);
      if (category) ids = ids.where("category", "=", category);
      if (gender) ids = ids.where("gender", "=", gender);
      if (language) ids = ids.where("language", "=", language);
      const found = await readPage(ids, orders[sort], { page, pageSize, keyword }, (shown) =>
        published().select(columns).where("role.id", "in", shown).orderBy(orderOf(orders[sort])).execute(),
      );
      return { ...found, list: found.list.map(toSquareRole) };
    },
    async home(size) {
      const rows = await published()
        .select(columns)
        .where("home_rank", "is not", null)
        .orderBy("home_rank")
        .limit(size)
        .execute();
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

function toSquareRole({ id, avatar_id, play_url, timeline_url, use_num, ...row }: RoleRow): SquareRole {
  const preview = { voiceUrl: play_url ?? "", timelineUrl: timeline_url ?? "" };
  return { ...row, ...preview, avatar: portraitAddressOf(avatar_id), roleId: id, audioId: id, useNum: use_num };
}
