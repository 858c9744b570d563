/** Secrets by name. Values never enter a record, a log, or a process that runs a user's command. */
export interface Secrets {
  /** May answer with a value from minutes ago; `fresh` asks the store. */
  get(name: string, options?: { fresh?: boolean }): Promise<string | undefined>;
  /** null removes it. */
  set(name: string, value: string | null): Promise<void>;
}
