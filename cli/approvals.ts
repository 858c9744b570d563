import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { bold, clearProgress, dim, printLine, safeJson, tellLine, yellow } from './terminal.ts';

/** What a run waits for, as the service has it. */
export interface WaitingApproval {
  id: string;
  toolName: string;
  input: unknown;
  summary: string;
  expiresAt: string;
}

export interface ApprovalAnswer {
  approved: boolean;
  reason?: string;
}

/** Keys that were pressed before the question stood there answer nothing. */
const DRAIN_MS = 250;
/** Of an approval's reason, as the service takes it. */
const MAX_REASON = 1000;
const QUESTION = 'Type yes to approve; anything else refuses, and is told to the agent: ';

/** Where the person is. */
interface Keyboard {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
}

/**
 * Asks the person, with the exact arguments. Only the whole word `yes`, typed after the question, approves: Enter alone, an
 * end of input and what was typed ahead do not. Without a terminal on both sides nobody can be asked, and the answer is no.
 */
export async function askApproval(
  approval: WaitingApproval,
  signal: AbortSignal,
  keyboard: Keyboard = { input: process.stdin, output: process.stdout },
): Promise<ApprovalAnswer> {
  if (!keyboard.input.isTTY || !keyboard.output.isTTY) {
    tellLine(yellow('refused '), `${approval.toolName}: nobody is there to approve it (no terminal)`);
    return { approved: false, reason: 'nobody was there to approve it' };
  }
  clearProgress();
  printLine();
  printLine(bold(`The agent asks for ${approval.toolName}: `), approval.summary);
  printLine(safeJson(approval.input, 2));
  await dropTypedAhead(keyboard, signal);
  const words = await readAnswer(keyboard, signal);
  if (words === 'yes') return { approved: true };
  printLine(dim('refused'));
  return words === '' || words === 'no'
    ? { approved: false }
    : { approved: false, reason: words.slice(0, MAX_REASON) };
}

/** The terminal keeps lines for whoever reads next: they are read, and dropped. */
async function dropTypedAhead({ input }: Keyboard, signal: AbortSignal): Promise<void> {
  const drop = (bytes: Buffer) => {
    if (bytes.includes(3)) process.kill(process.pid, 'SIGINT'); // Ctrl-C is a byte in raw mode
  };
  input.setRawMode(true);
  input.on('data', drop).resume();
  try {
    await sleep(DRAIN_MS, undefined, { signal });
  } finally {
    input.off('data', drop).pause();
    input.setRawMode(false);
  }
}

async function readAnswer({ input, output }: Keyboard, signal: AbortSignal): Promise<string> {
  const terminal = createInterface({ input, output });
  try {
    const ended = new Promise<string>((done) => terminal.once('close', () => done('')));
    terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    const answer = terminal.question(QUESTION, { signal });
    return (await Promise.race([answer, ended])).trim();
  } finally {
    terminal.close();
  }
}
