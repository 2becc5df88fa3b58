/**
 * A name for each wish: the same as long as nobody has answered it, so that a second press, or another try after a lost
 * answer, makes nothing twice. Once answered and forgotten, the same words are another wish.
 */
export function createWishKey(newKey: () => string = randomKey) {
  const keys = new Map<string, string>();
  return {
    keyOf(wish: object): string {
      const said = JSON.stringify(wish);
      const key = keys.get(said) ?? newKey();
      keys.set(said, key);
      return key;
    },
    forget(wish: object) {
      keys.delete(JSON.stringify(wish));
    },
  };
}

/** `crypto.randomUUID` is missing on insecure pages. */
const randomKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16)).join("-");
