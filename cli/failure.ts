/** What a call ended with; `wrs --help` lists them. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  notAllowed: 4,
  noModel: 5,
  interrupted: 130,
} as const;

/** What went wrong, in words for the person, and what the call ends with. */
export class Failure extends Error {
  readonly exit: number;
  /** The status of the service's answer, where it answered. */
  readonly status: number | undefined;

  constructor(message: string, { exit = EXIT.failed, status }: { exit?: number; status?: number } = {}) {
    super(message);
    this.exit = exit;
    this.status = status;
  }
}
