import { formatBytes } from "../../speech/models/install";

/** The part of a terminal that is used. */
export interface Terminal {
  isTTY?: boolean | undefined;
  write(text: string): unknown;
}

const barWidth = 24;
/** Bars are drawn this often; without a terminal a line is written for every tenth of a file. */
const drawMs = 200;
const lineShare = 0.1;
const rateWindowMs = 5_000;

/** Shows how a download goes on: a bar with rate and time left, or plain lines if there is no terminal. */
export function createProgress(terminal: Terminal, now: () => number = () => performance.now()) {
  let name = "";
  let drawnAt = Number.NEGATIVE_INFINITY;
  let drawnShare = 0;
  let marks: Array<{ at: number; received: number }> = [];

  /** Bytes a second over the last seconds; 0 before anything is known. */
  function rateOf(received: number): number {
    const at = now();
    marks.push({ at, received });
    marks = marks.filter((mark) => at - mark.at <= rateWindowMs);
    const first = marks[0] as (typeof marks)[number];
    return at > first.at ? ((received - first.received) / (at - first.at)) * 1000 : 0;
  }

  return {
    /** Returns the rate in bytes a second. */
    update(file: string, received: number, total: number | null): number {
      if (file !== name) [name, marks, drawnShare] = [file, [], 0];
      const rate = rateOf(received);
      const share = total ? received / total : 0;
      const isDone = total !== null && received >= total;
      const isDue = terminal.isTTY ? now() - drawnAt >= drawMs : share - drawnShare >= lineShare;
      if (!isDue && !isDone) return rate;
      drawnAt = now();
      drawnShare = share;
      const line = formatProgress({ file, received, total, rate });
      terminal.write(terminal.isTTY ? `\r\u001b[K${line}${isDone ? "\n" : ""}` : `${line}\n`);
      return rate;
    },
  };
}

interface Progress {
  file: string;
  received: number;
  total: number | null;
  /** Bytes a second. */
  rate: number;
}

function formatProgress({ file, received, total, rate }: Progress): string {
  const speed = rate > 0 ? `  ${formatBytes(rate)}/s` : "";
  if (!total) return `  ${file}  ${formatBytes(received)}${speed}`;
  const filled = Math.round((received / total) * barWidth);
  const bar = "#".repeat(filled).padEnd(barWidth, "-");
  const left = rate > 0 && received < total ? `  ${formatDuration((total - received) / rate)} left` : "";
  return `  ${file}  [${bar}] ${Math.floor((100 * received) / total)} %  ${formatBytes(received)} of ${formatBytes(total)}${speed}${left}`;
}

function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const minutes = Math.floor(whole / 60);
  return minutes >= 60
    ? `${Math.floor(minutes / 60)} h ${minutes % 60} min`
    : `${minutes}:${String(whole % 60).padStart(2, "0")}`;
}
