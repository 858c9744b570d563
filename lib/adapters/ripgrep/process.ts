import { type ChildProcess, spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';

export interface RipgrepRun {
  /** The lines of the output. When the reader stops, the process ends. */
  lines: AsyncGenerator<string>;
  /** The exit code; null if the process was killed, at a limit or because the reader stopped. */
  ended: Promise<{ code: number | null; problem: string }>;
}

export interface RipgrepLimits {
  timeoutMs: number;
  /** Maximum bytes of output, including those of a single long line. */
  maxBytes: number;
  signal?: AbortSignal;
  /** The standard input, if no file is searched. */
  input?: string;
}

const MAX_PROBLEM = 4000;

/**
 * Starts a ripgrep process with an empty environment. `ended` rejects if it can't be started or the signal is aborted.
 */
export function startRipgrep(
  binary: string,
  args: string[],
  cwd: string,
  { timeoutMs, maxBytes, signal, input }: RipgrepLimits,
): RipgrepRun {
  const child: ChildProcess = spawn(binary, args, {
    cwd,
    env: {},
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    killSignal: 'SIGKILL',
    signal,
  });
  const { stdout, stderr } = child;
  if (stdout == null || stderr == null) throw notStarted(child);
  // If the program can't be started, Node's own `timeout` would keep this process alive.
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  child.stdin?.on('error', () => {}).end(input); // a killed process may not have read all input
  let problem = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    problem = (problem + text).slice(0, MAX_PROBLEM);
  });
  const ended = new Promise<{ code: number | null; problem: string }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, problem }));
  });
  ended.catch(() => {}).finally(() => clearTimeout(timer)); // callers who await the process get the failure
  return { lines: readLines(stdout, maxBytes, () => child.kill('SIGKILL')), ended };
}

/**
 * Returns an error. If no file descriptor is free, Node creates no pipes and reports the reason later.
 * Without a listener, that would end the service.
 */
function notStarted(child: ChildProcess): Error {
  child.once('error', () => {});
  return new Error('ripgrep could not start: too many files are open.');
}

async function* readLines(
  stream: AsyncIterable<Buffer>,
  maxBytes: number,
  kill: () => void,
): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let unfinished: string[] = [];
  let left = maxBytes;
  try {
    for await (const chunk of stream) {
      left -= chunk.length;
      if (left < 0) return;
      const [first = '', ...others] = decoder.write(chunk).split('\n');
      unfinished.push(first);
      for (const next of others) {
        yield unfinished.join('');
        unfinished = [next];
      }
    }
  } finally {
    kill();
  }
}
