import { type SqlBool, sql } from "kysely";
import { portraitAddressOf } from "~server/contract/file-address";
import type { Db } from "../db/database";
import { allOf, searchPatterns } from "../sql-fragments";

export interface SquareRole {
  roleId: string;
  audioId: string;
  name: string;
  describe: string;
  avatar: string;
  /** Of the preview; "" until it exists. */
  voiceUrl: string;
  timelineUrl: string;
  tags: string[];
  gender: "male" | "female" | "unknown";
  language: string;
  useNum: number;
  category: string;
  /** Parameters of a drawn portrait; null where `avatar` is an image. */
  portrait: unknown;
}

interface SquareQuery {
  page: number;
  pageSize: number;
  keyword?: string | undefined;
  category?: string | undefined;
  gender?: "male" | "female" | "unknown" | undefined;
  language?: string | undefined;
  sort?: "popular" | "newest" | "name" | undefined;
}

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

const orders = {
  popular: sql`use_num desc, home_rank asc nulls last, role.id`,
  newest: sql`role.created_at desc, role.id`,
  name: sql`name, role.id`,
};

/** Published roles. */
export function createSquare(db: Db): Square {
  const published = () =>
    db.selectFrom("role").leftJoin("rendition", "rendition.id", "role.preview_id").where("is_shown", "=", true);
  return {
    async list({ page, pageSize, keyword, category, gender, language, sort = "popular" }) {
      let rows = published();
      if (keyword) rows = rows.where(matches(keyword));
      if (category) rows = rows.where("category", "=", category);
      if (gender) rows = rows.where("gender", "=", gender);
      if (language) rows = rows.where("language", "=", language);
      const { total } = await rows.select((eb) => eb.fn.countAll<string>().as("total")).executeTakeFirstOrThrow();
      const list = await rows
        .select(columns)
        .orderBy(orders[sort])
        .limit(pageSize)
        .offset((page - 1) * pageSize)
        .execute();
      return { list: list.map(toSquareRole), total: Number(total), page, pageSize };
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

/** Every word must occur in the name, the description, the category or a tag. */
const matches = (keyword: string) =>
  allOf(
    searchPatterns(keyword).map(
      (like) =>
        sql<SqlBool>`(name ilike ${like} or describe ilike ${like} or category ilike ${like}
        or array_to_string(tags, ' ') ilike ${like})`,
    ),
  );

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
