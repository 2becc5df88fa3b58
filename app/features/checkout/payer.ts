/** Who buys; expiries are Unix seconds. */
export interface Payer {
  phone: string;
  vipExpire: number;
  svipExpire: number;
}

export interface Notice {
  kind: "success" | "error" | "info";
  text: string;
  /** Milliseconds. */
  lasts?: number;
}

/** What the checkout tells the page around it. */
export interface CheckoutEvents {
  tell(notice: Notice): void;
  /** Paid, or closed for real: what is known of the user may be old. */
  onUserChanged(): void;
  onLoginExpired(): void;
}
