/** Exit codes. The help and docs/guides/cli.md list them. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  notAllowed: 4,
  noModel: 5,
  unapproved: 6,
  unjudged: 7,
  interrupted: 130,
} as const;

/** Says what each exit code means, for the help. */
export const EXIT_TEXTS: Record<keyof typeof EXIT, string> = {
  done: 'done',
  failed: 'error',
  usage: 'invalid command, option, or argument',
  unreachable: "can't reach or start the service",
  notAllowed: 'not signed in, or not allowed',
  noModel: 'no model is configured',
  unapproved: 'an action needed approval, and there was no terminal to ask on',
  unjudged: "the model couldn't judge all claims; the result has the verdicts of code",
  interrupted: 'stopped',
};

interface FailureOptions {
  exit?: number;
  status?: number;
  code?: string | undefined;
  help?: string | undefined;
}

/** A failure, described for the user, with the exit code of the call. */
export class Failure extends Error {
  readonly exit: number;
  /** The status of the response, if there was one. */
  readonly status: number | undefined;

  /** The stable code of the service's error, if it has one. */
  readonly code: string | undefined;

  /** The URL of the code's documentation. */
  readonly help: string | undefined;

  constructor(message: string, { exit = EXIT.failed, status, code, help }: FailureOptions = {}) {
    super(message);
    this.exit = exit;
    this.status = status;
    this.code = code;
    this.help = help;
  }
}
