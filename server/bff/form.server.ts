/** The fields of a form; null for a body that is none, or a broken one. */
export const readForm = (request: Request): Promise<FormData | null> => request.formData().catch(() => null);
