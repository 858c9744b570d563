/** Secrets by name. Values never enter a record, a log, or a process that runs a user's command. */
export interface Secrets {
  get(name: string): Promise<string | undefined>;
  /** null removes it. */
  set(name: string, value: string | null): Promise<void>;
}
