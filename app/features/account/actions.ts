/** What the account's menu leads to; each asks first. */
export interface AccountActions {
  onLogOut(): void;
  onRemove(): void;
}
