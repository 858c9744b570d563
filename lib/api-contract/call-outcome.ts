/** How a call ended. */
export interface CallOutcome {
  state: 'done' | 'failed';
  /** The exit code, if the tool ran a command. */
  exitCode?: number;
}

/** Reads the outcome from a tool's output. A command that ended with another exit code than 0 has failed. */
export function readOutcome(output: unknown): CallOutcome {
  const { state, exitCode } = (output ?? {}) as { state?: unknown; exitCode?: unknown };
  return {
    state: state === 'failed' ? 'failed' : 'done',
    ...(typeof exitCode === 'number' && { exitCode }),
  };
}

/** The error of a call that a person stopped, for the model. */
export const CALL_STOPPED =
  'A person stopped this call. What it did before that stays. Do not repeat it unless they ask for it.';
