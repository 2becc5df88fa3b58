import { type SqlBool, sql } from "kysely";
import { portraitAddressOf } from "~server/contract/file-address";
import type { Db } from "../db/database";

/** A public role as the square shows it. */
export interface SquareRole {
  roleId: string;
  audioId: string;
  name: string;
  describe: string;
  avatar: string;
  /** The preview's URL; "" until it was made. */
  voiceUrl: string;
  /** What sounds when in the preview; "" until it was made. */
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
  /** Those on the home page, in their order. */
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

/** The public roles. */
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

/** Every word must occur somewhere; `%` and `_` are what they are. */
function matches(keyword: string) {
  const words = keyword
    .trim()
    .split(/\s+/)
    .map((word) => `%${word.replace(/[\\%_]/g, "\\$&")}%`);
  const conditions = words.map(
    (word) =>
      sql<SqlBool>`(name ilike ${word} or describe ilike ${word} or category ilike ${word}
        or array_to_string(tags, ' ') ilike ${word})`,
  );
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
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
