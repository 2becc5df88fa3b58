import { basename } from "node:path";
import { sql } from "kysely";
import { describe, expect, it, vi } from "vitest";
import { logIn } from "../support/account";
import { ruleEngines } from "../support/database";
import { findDownload } from "../support/downloads";
import { setUpUpstream } from "../support/set-up-upstream";
import { createTrial, sentence, uploadVoice, waitForTrial } from "../support/trial";
import { createVisitor, type Visitor } from "../support/upstream";

describe.each(ruleEngines)("visitor data on %s", (engine) => {
  const upstream = setUpUpstream(engine);

  async function tryOut(visitor: Visitor) {
    const voicePath = await uploadVoice(visitor);
    const { data } = await createTrial(visitor, { content: sentence, voicePath });
    const { voiceUrl, downloads, status } = await waitForTrial(visitor, data.taskId);
    expect(status).toBe(2);
    return {
      taskId: data.taskId,
      urls: [
        voicePath,
        voiceUrl,
        String(findDownload({ downloads }, "mp3")),
        String(findDownload({ downloads }, "wav")),
      ],
    };
  }

  /** Ages all records of this owner by this many days. */
  async function age(owner: string, days: number) {
    for (const table of ["trial", "rendition", "recording", "media_file"]) {
      await sql`update ${sql.table(table)} set created_at = created_at - make_interval(days => ${days}::int)
        where owner = ${owner}`.execute(upstream.database());
    }
  }

  const statuses = (visitor: Visitor, urls: string[]) => Promise.all(urls.map((url) => visitor.statusOf(url)));
  const filesOnDisk = async () =>
    (await upstream.bytes.keys()).filter((key) => !key.includes("segments")).map((key) => basename(key));

  it("is deleted after a week with rows and files; newer data, used recordings and members' data stay", async () => {
    const [old, fresh, visitor] = [1, 2, 3].map(() => createVisitor(upstream.services)) as [Visitor, Visitor, Visitor];
    const gone = await tryOut(old);
    const kept = await tryOut(fresh);
    const own = await tryOut(visitor);
    const member = await logIn(upstream.services, { visitor });
    await age(`visitor:${old.id}`, 8);
    await age(`visitor:${fresh.id}`, 6);
    await sql`update recording set created_at = created_at - interval '9 days'
      where owner = ${`visitor:${fresh.id}`}`.execute(upstream.database());
    await sql`update rendition set created_at = created_at - interval '30 days' where owner like 'account:%'`.execute(
      upstream.database(),
    );
    await upstream.restart();
    upstream.services.startWorker();
    const [again, freshAgain] = [old, fresh].map(({ id }) => createVisitor(upstream.services, { id })) as [
      Visitor,
      Visitor,
    ];
    const names = gone.urls.map((url) => url.slice(url.lastIndexOf("/") + 1));
    await vi.waitFor(
      async () => expect((await filesOnDisk()).filter((name) => names.includes(name))).toEqual([]),
      150_000,
    );
    expect(await statuses(again, gone.urls)).toEqual([404, 404, 404, 404]);
    for (const table of ["trial", "rendition", "recording", "media_file"] as const) {
      const left = upstream.database().selectFrom(table).select("owner").where("owner", "=", `visitor:${old.id}`);
      expect(await left.execute()).toEqual([]);
    }
    expect(await statuses(freshAgain, kept.urls)).toEqual([200, 200, 200, 200]);
    const headers = { token: member.token };
    const mine = createVisitor(upstream.services);
    for (const url of own.urls) expect(await mine.statusOf(url, headers)).toBe(200);
    expect((await createTrial(again, { content: sentence, voicePath: gone.urls[0] })).msg).toBe("voice-missing");
    const roleId = (await again.get<Array<{ roleId: string }>>("/role/common/home?size=1")).data[0]?.roleId;
    expect((await createTrial(again, { content: sentence, roleId })).data.tryNum).toBe(2);
  });
});
