/** Secrets by name. Their values never appear in a record, a log, or a process that runs a user's command. */
export interface Secrets {
  /** Returns a secret, which may be minutes old. `fresh` bypasses the cache. */
  get(name: string, options?: { fresh?: boolean }): Promise<string | undefined>;
  /** Sets a secret; null removes it. */
  set(name: string, value: string | null): Promise<void>;
}
