export const isUuid = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/** The ids that PostgreSQL accepts as UUIDs, each once. */
export const toUuids = (ids: string[]): string[] => [...new Set(ids.filter(isUuid))];
