/**
 * A name for each wish: the same as long as nobody has answered it, so that a second press, or another try after a lost
 * answer, makes nothing twice. Once answered and forgotten, the same words are another wish.
 */
export function createWishKey(newKey: () => string = randomKey) {
  const keys = new Map<string, string>();
  const keyOf = (wish: object): string => {
    const said = JSON.stringify(wish);
    const key = keys.get(said) ?? newKey();
    keys.set(said, key);
    return key;
  };
  const forget = (wish: object) => void keys.delete(JSON.stringify(wish));
  return {
    keyOf,
    forget,
    /** Sends a wish under its name, and once more when the answer got lost; whatever was answered is forgotten. */
    async send<Answer>(wish: object, { ask, isLost }: Sending<Answer>): Promise<Answer> {
      const key = keyOf(wish);
      const answer = ask(key).catch((error: unknown) => {
        if (isLost(error)) return ask(key);
        throw error;
      });
      try {
        const answered = await answer;
        forget(wish);
        return answered;
      } catch (error) {
        if (!isLost(error)) forget(wish);
        throw error;
      }
    },
  };
}

interface Sending<Answer> {
  ask(key: string): Promise<Answer>;
  /** True of a failure that leaves open whether the wish arrived. */
  isLost(error: unknown): boolean;
}

/** `crypto.randomUUID` is missing on insecure pages. */
const randomKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16)).join("-");
