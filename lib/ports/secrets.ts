/** Secrets by name. Values never enter a record, a log, or a process that runs a user's command. */
export interface Secrets {
  /** May return a value from minutes ago; `fresh` bypasses the cache. */
  get(name: string, options?: { fresh?: boolean }): Promise<string | undefined>;
  /** null removes it. */
  set(name: string, value: string | null): Promise<void>;
}
