import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { CallData, CallRequest } from "~server/contract/calls/table";
import { portraitAddressOf } from "~server/contract/file-address";
import type { Db } from "../db/database";
import type { DubTables } from "../db/tables/dubs";
import { AppError } from "../errors";
import type { Owner } from "../owner";
import { isUuid, shanghaiTime } from "../sql-fragments";
import type { TaskStatus } from "../task-status";
import { selectClones } from "./clones/list";
import { selectDubs } from "./dubs/list";
import { cloneProgress, dubProgress, type ListParts, toSoundFields, toTaskFields, videoProgress } from "./listing";
import { selectVideos } from "./videos/list";

type WorkList = CallData<"workList">;
type Work = WorkList["list"][number];
type WorkQuery = CallRequest<"workList">;

const progresses = { clone: cloneProgress, dub: dubProgress, video: videoProgress };

/** The owner's results of all kinds, newest first. */
export async function listWorks(parts: ListParts, owner: Owner, query: WorkQuery): Promise<WorkList> {
  const { db } = parts;
  const rows = await readRows(db, owner, query);
  const shown = rows.slice(0, query.pageSize);
  const roles = await readRoles(db, owner, new Set(shown.flatMap(({ role_ids }) => role_ids)));
  const list: Work[] = [];
  for (const row of shown) list.push(await toWork(row, roles, parts));
  const last = rows.length > query.pageSize ? shown.at(-1) : undefined;
  return { list, next: last ? `${last.at}.${last.id}` : "" };
}

const kinds = ["clone", "dub", "video"] as const;
const newestFirst = (a: WorkRow, b: WorkRow) => (a.at === b.at ? (a.id < b.id ? -1 : 1) : a.at < b.at ? 1 : -1);

/** One result more than the page shows. A search reads texts one by one: of all kinds at once, each for itself. */
async function readRows(db: Db, owner: Owner, query: WorkQuery): Promise<WorkRow[]> {
  if (query.keyword && !query.kind) {
    const found = await Promise.all(kinds.map((kind) => readRows(db, owner, { ...query, kind })));
    return found
      .flat()
      .sort(newestFirst)
      .slice(0, query.pageSize + 1);
  }
  const { rows } = await sql<WorkRow>`
    with page as (${selectPage(db, owner, query)})
    select page.kind, page.id, page.at, ${shanghaiTime("page.created_at")} as created, work.*,
      recording.name as recording, play_url, timeline_url, rendition.duration_ms, downloads, doubts
    from page cross join lateral (${selectWork}) work
      left join rendition on rendition.id = work.rendition_id left join recording on recording.id = work.recording_id
    order by page.created_at desc, page.id`.execute(db);
  return rows;
}

/** The newest of each table by its index, and of these the newest. */
function selectPage(db: Db, owner: Owner, { kind, roleId, keyword, cursor, pageSize }: WorkQuery) {
  const after = cursor ? parseCursor(cursor) : sql<SqlBool>`true`;
  const order = sql`order by created_at desc, id limit ${pageSize + 1}`;
  const columns = ["id", "created_at"] as const;
  // The planner must not join all accounts' lines of a role of the square.
  const hasLine = sql<SqlBool>`(select true from dub_line where role_id = ${roleId} and dub_id = dub.id limit 1)`;
  const heard: Record<Work["kind"], RawBuilder<SqlBool>> = roleId
    ? { clone: sql`role_id = ${roleId}`, dub: hasLine, video: sql`${roleId} = any(role_ids)` }
    : { clone: sql`true`, dub: sql`true`, video: sql`true` };
  const tables = {
    clone: () => selectClones(db, owner, { keyword }).where(heard.clone).where(after).select(columns),
    dub: () => selectDubs(db, owner, { keyword }).where(heard.dub).where(after).select(columns),
    video: () => selectVideos(db, owner, { keyword }).where(heard.video).where(after).select(columns),
  };
  const parts = (kind ? [kind] : kinds).map(
    (name) => sql`(select ${name}::text as kind, part.* from (${tables[name]()} ${order}) part)`,
  );
  const at = sql`to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`;
  return sql`select *, ${at} as at from (${sql.join(parts, sql` union all `)}) works ${order}`;
}

/** After the last result of the page before. Throws bad-request. */
function parseCursor(cursor: string): RawBuilder<SqlBool> {
  const [, at, id = ""] = /^(\d{4}(?:-\d\d){2}T\d\d(?::\d\d){2}\.\d{6})\.([\w-]+)$/.exec(cursor) ?? [];
  if (!at || !isUuid(id) || Number.isNaN(Date.parse(at)))
    throw new AppError("bad-request", "malformed: cursor", { status: 400 });
  const time = sql`${`${at}Z`}::timestamptz`;
  return sql`created_at <= ${time} and (created_at < ${time} or id > ${id}::uuid)`;
}

/** Characters of a text from which its beginning is shown. */
const contentMax = 200;
const peopleMax = 3;
const taskColumns = sql`status, seg_done, seg_total, msg, failed_at, job_id, rendition_id`;

/** The row of the page's result, from the table of its kind. */
const selectWork = sql`
  select ${taskColumns}, '' as title, left(content, ${contentMax}) as content, 1 as lines, recording_id,
      array_remove(array[role_id], null) as role_ids, null as source_kind, null as source_id, null as format
    from clone where page.kind = 'clone' and clone.id = page.id
  union all select ${taskColumns}, title, spoken.content, spoken.lines, null, spoken.role_ids, null, null, null
    from dub, lateral (
      select count(*)::int as lines, left((array_agg(content order by number))[1], ${contentMax}) as content,
        (select coalesce(array_agg(role_id order by first), '{}') from (
          select role_id, min(number) as first from dub_line where dub_id = dub.id group by role_id
            order by first limit ${peopleMax}) heard) as role_ids
      from dub_line where dub_id = dub.id) spoken
    where page.kind = 'dub' and dub.id = page.id
  union all select ${taskColumns}, title, '', 1, null, role_ids[1:${peopleMax}], source_kind, source_id, format
    from video where page.kind = 'video' and video.id = page.id`;

type SoundRow = Parameters<typeof toSoundFields>[0];
interface WorkRow extends SoundRow {
  kind: Work["kind"];
  id: string;
  at: string;
  created: string;
  status: TaskStatus;
  seg_done: number;
  seg_total: number;
  msg: string | null;
  failed_at: number | null;
  job_id: string | null;
  title: string;
  content: string | null;
  lines: number;
  /** Its name, where it was used instead of a role. */
  recording: string | null;
  role_ids: string[];
  source_kind: DubTables["video"]["source_kind"] | null;
  source_id: string | null;
  format: DubTables["video"]["format"] | null;
}

type Person = Work["people"][number];

/** Those that the owner or the square shows, by id. */
async function readRoles(db: Db, owner: Owner, ids: ReadonlySet<string>): Promise<Map<string, Person>> {
  if (ids.size === 0) return new Map();
  const roles = db
    .selectFrom("role")
    .select(["id", "name", "avatar_id", "portrait"])
    .where("id", "in", [...ids]);
  const rows = await roles.where((eb) => eb.or([eb("owner", "=", owner), eb("is_shown", "=", true)])).execute();
  return new Map(
    rows.map(({ id, name, avatar_id, portrait }) => {
      const avatar = portraitAddressOf(avatar_id);
      return [id, { roleId: id, name, avatar, portrait: portrait as Person["portrait"] }];
    }),
  );
}

async function toWork(row: WorkRow, roles: ReadonlyMap<string, Person>, parts: ListParts): Promise<Work> {
  const { kind, title, lines, recording, role_ids, source_kind, source_id, format } = row;
  const unknown = (roleId: string): Person => ({ roleId, name: "", avatar: "", portrait: null });
  const people = role_ids.map((roleId) => roles.get(roleId) ?? unknown(roleId));
  return {
    ...(await toTaskFields(row, progresses[kind](row), parts)),
    ...toSoundFields(row),
    ...{ kind, title, lines, format },
    content: row.content ?? "",
    people: recording === null ? people : [{ ...unknown(""), name: recording }],
    source: source_kind && { kind: source_kind, id: source_id ?? "" },
    createdAt: row.created,
  };
}
