import busboy from "@fastify/busboy";
import type { ReceivedRequest } from "./server";

export interface Form {
  fields: Record<string, string>;
  files: Record<string, { name: string; bytes: Buffer }>;
}

/** Parses a multipart body with a parser independent of the writer. */
export async function readForm({ headers, body }: ReceivedRequest): Promise<Form> {
  const form: Form = { fields: {}, files: {} };
  const parser = busboy({ headers: headers as { "content-type": string } });
  parser.on("field", (name: string, value: string) => {
    form.fields[name] = value;
  });
  parser.on("file", (name: string, stream: NodeJS.ReadableStream, filename: string) => {
    const parts: Buffer[] = [];
    stream.on("data", (part: Buffer) => parts.push(part));
    stream.on("end", () => {
      form.files[name] = { name: filename, bytes: Buffer.concat(parts) };
    });
  });
  const finished = new Promise((resolve, reject) => parser.once("finish", resolve).once("error", reject));
  parser.end(body);
  await finished;
  return form;
}
