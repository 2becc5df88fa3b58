export interface EventLine {
  event: string;
  data: unknown;
}

/** Reads the server-sent events of a response to its end. */
export async function* readEventLines(answer: Response): AsyncGenerator<EventLine> {
  if (!answer.body) throw new Error(`no events: ${answer.status}`);
  let text = "";
  const decoder = new TextDecoder();
  for await (const piece of answer.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(piece, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (event && data) yield { event, data: JSON.parse(data) };
    }
  }
}
