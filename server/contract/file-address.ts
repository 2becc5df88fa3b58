const address = /^\/api\/v1\/files\/([\w-]{1,64})\.(\w{1,8})$/;

/** The one address of a file of the embedded upstream; `format` is its extension without a dot. */
export const fileAddressOf = (id: string, format: string): string => `/api/v1/files/${id}.${format}`;

/** The file's id where the text is exactly such an address; null for every other spelling, a query or an origin included. */
export const fileIdOf = (text: string): string | null => address.exec(text)?.[1] ?? null;

/** Ids of addresses that we wrote ourselves; other texts are left out. */
export const fileIdsOf = (texts: Array<string | null>): string[] =>
  texts.flatMap((text) => (text && fileIdOf(text)) || []);

/** Every uploaded picture is encoded again in this format. */
export const portraitFormat = "webp";

/** The address of a role's picture; "" if it has none. */
export const portraitAddressOf = (id: string | null): string => (id ? fileAddressOf(id, portraitFormat) : "");
