import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { OpenProof } from "../../voices/proofs/reviews";
import { cutPage, defineOperation, fieldOf, pageFields, pageSize, toSection } from "../operation";

const proofSection = (rows: OpenProof[], next: string | null = null) =>
  toSection("proofs", "proofId=proof roles=role reason=doubt submittedAt:time=submitted owner", rows, {
    acts: ["proof", "proof-accept", "proof-decline"].map((name) => ({ name, fill: { proof: "proofId" } })),
    next,
  });

const proofField = () => fieldOf.id("PROOF", "a proof's id");

export const proofOperations = [
  defineOperation({
    name: "proofs",
    summary: "list proofs of voices that people want reviewed",
    cli: { words: ["proofs", "list"], isDefault: true },
    roles: ["moderator"],
    isRead: true,
    fields: pageFields(),
    async run({ proofReviews }, { limit = pageSize, after }) {
      const listed = await proofReviews.list({ limit: limit + 1, after });
      const page = cutPage(
        listed.map((proof) => ({ id: proof.proofId, ...proof })),
        limit,
      );
      return { sections: [proofSection(page.rows, page.next)], empty: "no proofs" };
    },
  }),
  defineOperation({
    name: "proof",
    summary: "show a proof: what should have been read, and how it was measured",
    cli: { words: ["proofs", "show"], takes: ["proof"] },
    roles: ["moderator"],
    isRead: true,
    fields: { proof: proofField() },
    async run({ proofReviews }, { proof }) {
      const { reference: _, spoken: __, prompt, measures, ...open } = await proofReviews.open(proof);
      const lines = toSection(
        "prompt",
        "line",
        prompt.map((line) => ({ line })),
      );
      const figures = toSection("measures", "measures:json", [{ measures }]);
      return { sections: [proofSection([open]), lines, figures] };
    },
  }),
  defineOperation({
    name: "proof-hear",
    summary: "write the recordings of a proof into a folder of this machine",
    cli: { words: ["proofs", "hear"], takes: ["proof"] },
    isLocal: true,
    notes: [
      "Writes the reference recording and the prompt read aloud, and prints what should have been read.",
      "Delete both files afterwards: they are a person's voice.",
    ],
    fields: { proof: proofField(), into: fieldOf.text("--into").optional() },
    async run({ proofReviews }, { proof, into }) {
      const { reference, spoken, prompt, measures } = await proofReviews.open(proof);
      const folder = await createFolder(into);
      const paths = {
        reference: join(folder, `reference.${reference.format}`),
        spoken: join(folder, `spoken.${spoken.format}`),
      };
      await writeFile(paths.reference, reference.bytes, { mode: 0o600 });
      await writeFile(paths.spoken, spoken.bytes, { mode: 0o600 });
      const lines = [`reference  ${paths.reference}`, `spoken     ${paths.spoken}`, "", "should say", ...prompt];
      const message = [...lines, "", `measured ${JSON.stringify(measures)}`].join("\n");
      return { data: { proofId: proof, ...paths, prompt, measures }, message };
    },
  }),
  defineOperation({
    name: "proof-accept",
    summary: "accept a proof: the role can be published",
    cli: { words: ["proofs", "accept"], takes: ["proof"] },
    roles: ["moderator"],
    preview: "proof",
    fields: { proof: proofField() },
    async run({ proofReviews }, { proof }) {
      await proofReviews.accept(proof);
      const message = `${proof} is accepted: the voice counts as proven`;
      return { data: { proofId: proof, review: "accepted" }, message };
    },
  }),
  defineOperation({
    name: "proof-decline",
    summary: "decline a proof; the role's page shows the reason, and the voice can be proven again",
    cli: { words: ["proofs", "decline"], takes: ["proof"] },
    roles: ["moderator"],
    needsReason: true,
    preview: "proof",
    notes: ["The role's page shows the reason, so write it in Chinese and for that person."],
    fields: { proof: proofField() },
    async run({ proofReviews, reason }, { proof }) {
      await proofReviews.decline(proof, reason);
      const message = `${proof} is declined; the role's page shows the reason`;
      return { data: { proofId: proof, review: "declined" }, message };
    },
  }),
];

async function createFolder(wanted: string | undefined): Promise<string> {
  if (!wanted) return mkdtemp(join(tmpdir(), "proof-"));
  const folder = resolve(wanted);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}
