/**
 * A name for each wish: the same as long as what is wished for stays the same, so that a second press, or another try
 * after a lost answer, makes nothing twice.
 */
export function createWishKey(newKey: () => string = () => crypto.randomUUID()) {
  let last: { wish: string; key: string } | null = null;
  return (wish: object): string => {
    const said = JSON.stringify(wish);
    if (last?.wish !== said) last = { wish: said, key: newKey() };
    return last.key;
  };
}
