import { type ChildProcess, spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';

export interface RipgrepRun {
  /** The lines of the output. They end with the process, and the process ends when the reader stops. */
  lines: AsyncGenerator<string>;
  /** The code is null if the process was killed, at a limit or because the reader stopped. */
  ended: Promise<{ code: number | null; problem: string }>;
}

export interface RipgrepLimits {
  timeoutMs: number;
  /** Maximum bytes of output. A longer line ends the search too. */
  maxBytes: number;
  signal?: AbortSignal;
  /** The standard input, if no file is named. */
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
  // Node's own `timeout` would continue if the program can't be started, and keep this process alive meanwhile.
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  child.stdin?.on('error', () => {}).end(input); // a killed process ends before it has read all input
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
 * Returns an error. Without a free descriptor, Node creates no pipes and reports the reason later, which ends the
 * service unless there is a listener.
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
