/** A digital human as pages show it. */
export interface Human {
  roleId: string;
  name: string;
  describe: string;
  /** An image's address at the upstream; drawn from `portrait` where it is empty. */
  avatar?: string;
  portrait?: unknown;
  /** Address of the preview; empty while there is none. */
  voiceUrl: string;
  /** What sounds when in the preview, where the upstream tells. */
  timelineUrl?: string;
}
