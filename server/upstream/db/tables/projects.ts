/** A project of an account, by the id that its first device gave it. */
export interface ProjectTable {
  account_id: string;
  id: string;
  kind: string;
  title: string;
  excerpt: string;
  lines: number;
  characters: number;
  /** JSON as it was sent. */
  document: string;
  revision: number;
  /** In whole milliseconds, as the cursor of a list has it. */
  updated_at: Date;
  deleted_at: Date | null;
}

export interface ProjectTables {
  project: ProjectTable;
}
