import md5 from "md5";

/** Signatures of the payment calls (specification section 7): the MD5 of the package's code, or of the order's id. */
export const sign = (value: string): string => md5(value);
