/** Exit codes. The help and docs/guides/cli.md list them. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  notAllowed: 4,
  noModel: 5,
  unapproved: 6,
  interrupted: 130,
} as const;

/** What each exit code means, for the help. */
export const EXIT_TEXTS: Record<keyof typeof EXIT, string> = {
  done: 'done',
  failed: 'failed',
  usage: 'wrong usage',
  unreachable: "the service can't be reached or doesn't start",
  notAllowed: 'not allowed',
  noModel: 'no model is configured',
  unapproved: 'a call needed approval and there was no terminal to ask on',
  interrupted: 'stopped',
};

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
