import type { TaskProgress } from "~server/upstream/task-status";
import type { Visitor } from "./upstream";

export interface ReceivedEvent {
  id: number;
  event: TaskProgress;
}

/** Reads GET /tasks/events like a browser until `isLast` returns true, then disconnects. */
export async function readEvents(
  reader: Visitor,
  isLast: (received: ReceivedEvent, all: ReceivedEvent[]) => boolean,
  { since = 0, headers = {} as Record<string, string>, timeoutMs = 150_000 } = {},
): Promise<ReceivedEvent[]> {
  const response = await reader.file(`/api/v1/tasks/events?since=${since}`, headers);
  if (!response.body || !response.headers.get("content-type")?.startsWith("text/event-stream")) {
    throw new Error(`no event stream: ${response.status} ${await response.text()}`);
  }
  const chunks = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const timer = setTimeout(() => void chunks.cancel(), timeoutMs);
  const all: ReceivedEvent[] = [];
  try {
    for (let text = "", read = await chunks.read(); !read.done; read = await chunks.read()) {
      text += read.value;
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const received of blocks.flatMap(parseBlock)) {
        all.push(received);
        if (isLast(received, all)) return all;
      }
    }
    return all;
  } finally {
    clearTimeout(timer);
    await chunks.cancel().catch(() => {});
  }
}

function parseBlock(block: string): ReceivedEvent[] {
  const id = /^id: (\d+)$/m.exec(block)?.[1];
  const data = /^data: (.*)$/m.exec(block)?.[1];
  return id && data ? [{ id: Number(id), event: JSON.parse(data) as TaskProgress }] : [];
}
