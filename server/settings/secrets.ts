/** Secrets of our own making, and those of others that none of ours may repeat. */
const own = ["SESSION_SECRET", "DATA_KEY", "PROFILE_KEY", "LABEL_KEY", "METRICS_TOKEN"] as const;
const foreign = [
  "S3_SECRET_ACCESS_KEY",
  "SMS_ACCESS_KEY_SECRET",
  "WECHAT_PAY_API_V3_KEY",
  "OPENAI_SPEECH_API_KEY",
  "FISH_SPEECH_API_KEY",
  "DASHSCOPE_API_KEY",
  "MINIMAX_API_KEY",
] as const;
type Environment = { [name in (typeof own)[number] | (typeof foreign)[number]]?: string | undefined };

const minLength = 32;
/** The least that 200,000 outputs of `openssl rand -hex 16` came to was 79. */
const minBits = 72;
/** Length of a common part that two secrets may have by chance. */
const sharedMaxLength = 12;

/** Weak secrets and those used twice, by the names of their settings and never by their values. */
export function secretFaults(settings: Environment): string[] {
  const parts = own.flatMap((name) => partsOf(name, settings[name]).map((secret) => ({ name, secret })));
  const weak = new Set(parts.filter(({ secret }) => isWeak(secret)).map(({ name }) => name));
  const others = foreign.flatMap((name) => (settings[name] ? [{ name, secret: settings[name] }] : []));
  const twice = parts.flatMap((part, at) => {
    const shared = [...parts.slice(at + 1), ...others].find(({ secret }) => isShared(part.secret, secret));
    return shared ? [`${part.name} is used twice: ${twiceIn(part.name, shared.name)}`] : [];
  });
  return [...[...weak].map(weakFault), ...new Set(twice)];
}

const weakFault = (name: string) =>
  `${name} is weak: at least ${minLength} random characters, such as \`openssl rand -hex 32\` makes`;

const twiceIn = (name: string, other: string) =>
  name === other ? "its new and its old value share a part" : `${other} shares a part with it`;

/** SESSION_SECRET and PROFILE_KEY may be several, newest first. */
const partsOf = (name: string, value = ""): string[] =>
  name === "SESSION_SECRET" || name === "PROFILE_KEY"
    ? value.split(/[\s,]+/).filter(Boolean)
    : value === ""
      ? []
      : [value];

function isShared(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short === long) return true;
  for (let at = 0; at + sharedMaxLength < short.length; at++) {
    if (long.includes(short.slice(at, at + sharedMaxLength + 1))) return true;
  }
  return false;
}

/** Words that stand in examples and are the first to be tried. */
const words =
  /password|passwd|secret|change|example|default|sample|session|production|token|admin|test|demo|qwerty|asdf|letmein|openssl|please|shengxiang|voice|your|this|that/g;

function isWeak(secret: string): boolean {
  return secret.length < minLength || !/\d|[a-z].*[A-Z]|[A-Z].*[a-z]/.test(secret) || bitsOf(secret) < minBits;
}

/**
 * An upper bound of what there is to guess: repeated parts, runs like `2345` or `aaaa` and everyday words count as one character each.
 */
function bitsOf(secret: string): number {
  const text = secret.toLowerCase().replace(words, "\0");
  let characters = 0;
  for (let at = 0; at < text.length; characters++) at += Math.max(1, repeatedAt(text, at), runAt(text, at));
  return characters * Math.log2(new Set(secret).size);
}

const repeatMin = 3;

/** Length of the longest part from `at` on that also occurs before `at`; 0 below three characters. */
function repeatedAt(text: string, at: number): number {
  let length = 0;
  while (at + length < text.length && text.slice(0, at).includes(text.slice(at, at + length + 1))) length++;
  return length < repeatMin ? 0 : length;
}

/** Length of a run of equal, rising or falling characters from `at` on; 0 below three. */
function runAt(text: string, at: number): number {
  const stepAt = (place: number) => text.charCodeAt(place + 1) - text.charCodeAt(place);
  const step = stepAt(at);
  if (!(Math.abs(step) <= 1)) return 0;
  let length = 2;
  while (stepAt(at + length - 1) === step) length++;
  return length < repeatMin ? 0 : length;
}
