import { type CheckCommand, type Diagnosis, exitCodes } from "../command";
import { requireWords } from "../parse";

export const doctor: CheckCommand = {
  summary: "examine settings, database, storage, speech, gateways, clock and disk",
  forms: [""],
  notes: [
    "Changes nothing but a small file that it puts into the storage and deletes.",
    "Exit codes: 0 all is well, or there are warnings; 1 something fails.",
  ],
  read({ words }) {
    requireWords(words, []);
    return async (checks) => {
      const found = await checks.diagnose();
      const hasFailed = found.some(({ state }) => state === "fail");
      return {
        // The JSON field of `message` is `told`.
        data: found.map(({ message, ...rest }) => ({ ...rest, told: message })),
        text: found.map(toLine).join("\n"),
        exitCode: hasFailed ? exitCodes.failed : exitCodes.done,
      };
    };
  },
};

const toLine = ({ about, state, message, todo }: Diagnosis): string =>
  `${state.padEnd(5)}${about.padEnd(10)}${message}${todo ? `\n${" ".repeat(15)}→ ${todo}` : ""}`;

export const migrate: CheckCommand = {
  summary: "bring the database's schema up to date",
  forms: [""],
  notes: ["Servers do the same when they start. Concurrent migrations wait."],
  read({ words }) {
    requireWords(words, []);
    return async (checks) => {
      const done = await checks.migrate();
      return { data: done, text: done.length === 0 ? "nothing to do" : `done: ${done.join(", ")}` };
    };
  },
};
