import { existsSync, writeFileSync } from "node:fs";
import { PassThrough } from "node:stream";

/** The product's eSpeak program, which goes wrong at a text with the word `fault`: once if the file `ONCE` is named. */
const { FAULT, ONCE, PROGRAM } = process.env;

const write = process.stdout.write.bind(process.stdout);
const faults = {
  "never answers": () => {
    for (;;);
  },
  "writes to its error output without end": () => {
    for (;;) process.stderr.write(`memory access out of bounds\n${"at stack\n".repeat(1000)}`);
  },
  "sends what is no answer": () => write("null function or function signature mismatch"),
  ends: () => process.exit(7),
  "speaks silence": () => {
    process.stdout.write = (frame) => write(frame.fill(0, 8 + frame.readUInt32LE(0)));
  },
  "speaks other words": () => {
    process.stdout.write = (frame) =>
      write(Buffer.from(frame.toString("latin1").replaceAll('"ipa":"a"', '"ipa":"o"'), "latin1"));
  },
};

const input = process.stdin;
const checked = new PassThrough();
Object.defineProperty(process, "stdin", { value: checked });
input.on("data", (bytes) => {
  if (bytes.includes(" fault") && !(ONCE && existsSync(ONCE))) {
    if (ONCE) writeFileSync(ONCE, "");
    faults[FAULT]();
  }
  checked.write(bytes);
});
input.on("end", () => checked.end());
await import(PROGRAM);
