export interface RateTable {
  key: string;
  /** Start of the window, whole seconds since 1970. */
  window_start: string;
  hits: number;
  expires_at: Date;
}
