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

/** The meaning of each exit code, for the help. */
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

/** A failure, worded for the person, with the exit code of the call. */
export class Failure extends Error {
  readonly exit: number;
  /** The status of the response, if there was one. */
  readonly status: number | undefined;

  constructor(message: string, { exit = EXIT.failed, status }: { exit?: number; status?: number } = {}) {
    super(message);
    this.exit = exit;
    this.status = status;
  }
}
