import { rm } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { examineProfiles } from "~server/upstream/operations/doctor/infrastructure";
import { createKeyring } from "~server/upstream/sealing";
import { deleteAccount } from "../support/account";
import { createClone, waitForClone } from "../support/clone";
import { testEngines } from "../support/database";
import { createMember } from "../support/member";
import { readZip } from "../support/read-zip";
import { createRole, waitForRole } from "../support/role";
import { setUpUpstream } from "../support/set-up-upstream";

describe.each(testEngines)("the profile of a learned voice on %s", (engine) => {
  const upstream = setUpUpstream(engine);

  const learned = async () => {
    const member = await createMember(upstream, "vip");
    const { roleId } = await createRole(member);
    await waitForRole(member, roleId);
    const rows = upstream
      .database()
      .selectFrom("recording")
      .selectAll()
      .where("owner", "=", `account:${member.accountId}`);
    return { member, roleId, rows, row: await rows.executeTakeFirstOrThrow() };
  };
  const speak = async ({ member, roleId }: Awaited<ReturnType<typeof learned>>, content: string) => {
    const { data } = await createClone(member, { content, roleId });
    return waitForClone(member, data.voiceId);
  };

  it("is nowhere in the database in plain, and is read back for the next text", async () => {
    const voice = await learned();
    const text = JSON.stringify(voice.row, (_key, value) =>
      value?.type === "Buffer" ? Buffer.from(value.data).toString("latin1") : value,
    );
    expect(text).not.toContain("pitchHz");
    const { enroll } = upstream.speech.calls;
    expect(await speak(voice, "再说一句话。")).toMatchObject({ status: 2 });
    expect(upstream.speech.calls.enroll).toBe(enroll);
  });

  it("is reported by the doctor where its key is not configured", async () => {
    await learned();
    const keyring = createKeyring(["another key"], "voice profile");
    expect(await examineProfiles(upstream.database(), keyring)).toMatchObject([{ about: "profiles", state: "fail" }]);
  });

  it("is in the account's export, beside its recording", async () => {
    const { member, row } = await learned();
    const archive = readZip(Buffer.from(await (await member.file("/api/v1/users/export")).arrayBuffer()));
    const profile = JSON.parse(archive.get(`voices/${row.file_id}.json`)?.toString() ?? "null");
    expect(profile).toMatchObject({ engine: "tone", parameters: { pitchHz: 220 } });
  });

  it("is deleted with the role and with the account", async () => {
    const [role, account] = [await learned(), await learned()];
    await role.member.post("/voice/role/del", { roleId: role.roleId });
    await deleteAccount(upstream, account.member);
    expect([await role.rows.execute(), await account.rows.execute()]).toEqual([[], []]);
  });

  it("of an older engine version is learned again from the recording, without failing the text", async () => {
    const voice = await learned();
    const old = { profile_key: voice.row.profile_key?.replace("@1:", "@0:") ?? "" };
    await upstream.database().updateTable("recording").set(old).where("id", "=", voice.row.id).execute();
    const { enroll } = upstream.speech.calls;
    expect(await speak(voice, "引擎换了，声音还在。")).toMatchObject({ status: 2 });
    expect(upstream.speech.calls.enroll).toBe(enroll + 1);
    expect((await voice.rows.executeTakeFirstOrThrow()).profile_key).toBe(voice.row.profile_key);
  });

  it("of an older engine version without its recording fails the text with the missing voice as the reason", async () => {
    const voice = await learned();
    const old = { profile_key: "tone@0:" };
    await upstream.database().updateTable("recording").set(old).where("id", "=", voice.row.id).execute();
    const file = upstream.database().selectFrom("media_file").select("storage_key").where("id", "=", voice.row.file_id);
    await rm(upstream.bytes.pathOf((await file.executeTakeFirstOrThrow()).storage_key));
    expect(await speak(voice, "没有录音。")).toMatchObject({ status: 3, reason: "voice-missing" });
  });
});
