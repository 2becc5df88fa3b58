import { sql } from "kysely";
import type { CallData } from "~server/contract/calls/table";
import { fileIdOf } from "~server/contract/file-address";
import { plainText } from "~server/contract/marks";
import type { Db } from "../db/database";
import type { DubTables } from "../db/tables/dubs";

type Shared = CallData<"shareInfo">;

/** A finished result, as its public page shows it. */
export interface SharedWork
  extends Pick<Shared, "title" | "lines" | "roleId" | "portrait" | "duration" | "filmFormat"> {
  /** File ids of the marked downloads and of the film by format, and of the timeline as `json`. */
  fileIds: Map<string, string>;
}

const filmFormats = ["mp4", "webm"] as const;

interface WorkPlace extends Pick<DubTables["share"], "kind" | "owner"> {
  work_id: string;
}

/** Characters and lines of a script that its page shows. */
const textMax = 4000;
const linesMax = 100;

/** Whether the owner has such a finished result. */
export async function hasWork(db: Db, place: WorkPlace): Promise<boolean> {
  return (await findSound(db, place)) !== undefined;
}

/** Null where the result is gone or belongs to another owner. */
export async function findWork(db: Db, place: WorkPlace): Promise<SharedWork | null> {
  const sound = await findSound(db, place);
  if (!sound) return null;
  const { title, lines } = await readWords(db, place);
  const shown = lines.find(({ roleId }) => roleId !== "");
  const drawn = lines.find(({ portrait }) => portrait !== null);
  return {
    title,
    lines: lines.map(({ name, content }) => ({ name, content: plainText(content) })),
    roleId: shown?.roleId ?? "",
    portrait: (drawn?.portrait ?? null) as SharedWork["portrait"],
    duration: sound.duration_ms / 1000,
    filmFormat: filmFormats.find((format) => sound.downloads.some((file) => file.format === format)) ?? null,
    fileIds: new Map(
      [...sound.downloads, { format: "json", url: sound.timeline_url ?? "" }].flatMap(({ format, url }) => {
        const id = fileIdOf(url);
        return id ? [[format, id] as const] : [];
      }),
    ),
  };
}

const findSound = (db: Db, { kind, work_id, owner }: WorkPlace) =>
  db
    .selectFrom(kind)
    .innerJoin("rendition", "rendition.id", `${kind}.rendition_id`)
    .select(["rendition.duration_ms", "rendition.downloads", "rendition.timeline_url"])
    .where(`${kind}.id`, "=", work_id)
    .where(`${kind}.owner`, "=", owner)
    .where(`${kind}.status`, "=", 2)
    .executeTakeFirst();

/** The name and the id of a voice only where the square shows it: a name of one's own may be a person's. */
const shownName = sql<string>`case when role.is_shown then role.name else '' end`;
const shownId = sql<string>`case when role.is_shown then role.id else '' end`;

interface WorkWords {
  title: string;
  lines: Array<{ name: string; roleId: string; content: string; portrait: unknown }>;
}

async function readWords(db: Db, place: WorkPlace): Promise<WorkWords> {
  if (place.kind === "dub") return readDub(db, place);
  return place.kind === "video" ? readFilm(db, place) : readText(db, place, place.kind);
}

/** The words of the film's sound; its title where the sound is gone. */
async function readFilm(db: Db, { work_id, owner }: WorkPlace): Promise<WorkWords> {
  const columns = ["title", "source_kind", "source_id"] as const;
  const row = db.selectFrom("video").select(columns).where("id", "=", work_id);
  const { title, source_kind, source_id } = await row.executeTakeFirstOrThrow();
  if (source_kind === "preview") return { title: "", lines: await readPreview(db, source_id, owner) };
  const place = { kind: source_kind, work_id: source_id, owner };
  const isLeft = await hasWork(db, place);
  return isLeft ? readWords(db, place) : { title, lines: [] };
}

const readPreview = (db: Db, roleId: string, owner: string) =>
  db
    .selectFrom("role")
    .select(["preview_text as content", "portrait", shownName.as("name"), shownId.as("roleId")])
    .where("id", "=", roleId)
    .where((eb) => eb.or([eb("owner", "=", owner), eb("is_shown", "=", true)]))
    .execute();

async function readText(db: Db, { work_id, owner }: WorkPlace, kind: "clone" | "trial") {
  const lines = await db
    .selectFrom(kind)
    .leftJoin("role", (join) =>
      join
        .onRef("role.id", "=", `${kind}.role_id`)
        .on((eb) => eb.or([eb("role.owner", "=", owner), eb("role.is_shown", "=", true)])),
    )
    .select([`${kind}.content`, "role.portrait"])
    .select([shownName.as("name"), shownId.as("roleId")])
    .where(`${kind}.id`, "=", work_id)
    .execute();
  return { title: "", lines };
}

async function readDub(db: Db, { work_id, owner }: WorkPlace) {
  const { title } = await db.selectFrom("dub").select("title").where("id", "=", work_id).executeTakeFirstOrThrow();
  const lines = await db
    .selectFrom("dub_line")
    .leftJoin("role", (join) =>
      join
        .onRef("role.id", "=", "dub_line.role_id")
        .on((eb) => eb.or([eb("role.owner", "=", owner), eb("role.is_shown", "=", true)])),
    )
    .select(["dub_line.content", "role.portrait"])
    .select([shownName.as("name"), shownId.as("roleId")])
    .where("dub_id", "=", work_id)
    .orderBy("number")
    .limit(linesMax)
    .execute();
  const isWithin = (index: number) =>
    lines.slice(0, index + 1).reduce((sum, { content }) => sum + content.length, 0) <= textMax;
  return { title, lines: lines.filter((_, index) => index === 0 || isWithin(index)) };
}
