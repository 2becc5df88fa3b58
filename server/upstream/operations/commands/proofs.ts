import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { OpenProof } from "../../voices/proofs/reviews";
import type { Act, Command, CommandInput } from "../command";
import { formatTable, formatTime, toTime } from "../format";
import { parseChoice, parseId, refuseOptions, required, requireWords } from "../parse";

export const proofs: Command = {
  summary: "list proofs of voices that people want reviewed, listen to them, accept or decline them",
  forms: ["[list]", "hear PROOF [--into FOLDER]", "accept PROOF", "decline PROOF --reason TEXT"],
  notes: [
    "hear: writes the reference recording and the prompt read aloud into a folder, and prints what should have been read.",
    "Delete both files afterwards: they are a person's voice. accept: the role can be published.",
    "decline: the role's page shows TEXT, so write it in Chinese and for that person; they can prove the voice again.",
  ],
  values: ["into"],
  read(input) {
    const [name = "list"] = input.words;
    const action = parseChoice(name, ["list", "hear", "accept", "decline"] as const, "proofs");
    if (action !== "hear") refuseOptions(input, `proofs ${action}`);
    return actions[action](input);
  },
};

const readId = (words: string[], name: string) =>
  parseId(requireWords(words, [name, "PROOF"])[1] ?? "", "a proof's id");

const actions: Record<"list" | "hear" | "accept" | "decline", (input: CommandInput) => Act> = {
  list({ words }) {
    requireWords(words.slice(1), []);
    return async ({ proofReviews }) => {
      const open = await proofReviews.list();
      return { data: open.map(toListed), text: open.length === 0 ? "no proofs" : formatTable(open.map(toRow)) };
    };
  },
  hear({ words, values }) {
    const proofId = readId(words, "hear");
    return async ({ proofReviews }) => {
      const { reference, spoken, prompt, measures } = await proofReviews.open(proofId);
      const folder = await createFolder(values.into);
      const paths = {
        reference: join(folder, `reference.${reference.format}`),
        spoken: join(folder, `spoken.${spoken.format}`),
      };
      await writeFile(paths.reference, reference.bytes, { mode: 0o600 });
      await writeFile(paths.spoken, spoken.bytes, { mode: 0o600 });
      const lines = [`reference  ${paths.reference}`, `spoken     ${paths.spoken}`, "", "should say", ...prompt];
      const text = [...lines, "", `measured ${JSON.stringify(measures)}`].join("\n");
      return { data: { proofId, ...paths, prompt, measures }, text };
    };
  },
  accept({ words }) {
    const proofId = readId(words, "accept");
    return async ({ proofReviews }) => {
      await proofReviews.accept(proofId);
      return { data: { proofId, review: "accepted" }, text: `${proofId} is accepted: the voice counts as proven` };
    };
  },
  decline({ words, reason }) {
    const proofId = readId(words, "decline");
    const shown = required(reason, "--reason");
    return async ({ proofReviews }) => {
      await proofReviews.decline(proofId, shown);
      return {
        data: { proofId, review: "declined" },
        text: `${proofId} is declined; the role's page shows the reason`,
      };
    };
  },
};

async function createFolder(wanted: string | undefined): Promise<string> {
  if (!wanted) return mkdtemp(join(tmpdir(), "proof-"));
  const folder = resolve(wanted);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

const toRow = ({ proofId, roles, owner, reason, submittedAt }: OpenProof) => ({
  proof: proofId,
  role: roles.join(", "),
  doubt: reason ?? "",
  submitted: formatTime(submittedAt),
  owner,
});

const toListed = ({ submittedAt, ...proof }: OpenProof) => ({ ...proof, submittedAt: toTime(submittedAt) });
