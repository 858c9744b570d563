import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { refusalTexts } from './refusal-texts.ts';
import { bold, cleanLine, clearProgress, dim, printLine, safeJson, tellLine, yellow } from './terminal.ts';

/** An approval that a run waits for, as the API returns it. */
export interface WaitingApproval {
  id: string;
  toolName: string;
  input: unknown;
  summary: string;
  /** The rules that require the approval. Missing in older services, null if there are none. */
  requiredBy?: string | null;
  /**
   * The pattern of the rule that an answer can add, which allows exactly this call from now on. Missing in older
   * services.
   */
  always?: string | null;
  expiresAt: string;
}

export interface ApprovalAnswer {
  approved: boolean;
  reason?: string;
  scope?: 'run';
  always?: string;
}

/** Milliseconds in which pressed keys are dropped, because they were pressed before the question appeared. */
const DRAIN_MS = 250;
/** Maximum characters of a reason that the service accepts. */
const MAX_REASON = 1000;
const QUESTION = 'Approve? Type "yes" to approve, or a reason to deny (sent to the agent): ';
/** Keys that people know from the console and from other programs. None of them is a reason to deny. */
const BARE_KEY = /^(?:[yra?]|always)$/i;
const CONFIRMATION = 'Type "always" to approve and add the rule, or anything else to go back: ';

/** The user's terminal. */
export interface Keyboard {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
}

export const PERSON: Keyboard = { input: process.stdin, output: process.stdout };

/**
 * Asks the person, showing the exact arguments. Only the whole word `yes`, typed after the question, approves; Enter
 * alone, the end of input, and text typed ahead don't. A key that isn't offered repeats the question. The whole word
 * `always`, typed after the rule was shown, adds the rule. Without a terminal on both sides there is no one to ask, and
 * the answer is no.
 */
export async function askApproval(
  approval: WaitingApproval,
  signal: AbortSignal,
  keyboard = PERSON,
): Promise<ApprovalAnswer> {
  if (!canAsk(keyboard)) {
    tellLine(yellow('denied '), `${cleanLine(approval.toolName)}: ${refusalTexts().noTerminal()}`);
    return { approved: false, reason: 'There was no terminal to ask for approval on.' };
  }
  clearProgress();
  printLine();
  printLine(bold(`${cleanLine(approval.toolName)} needs your approval: `), cleanLine(approval.summary));
  if (approval.requiredBy) printLine(dim(cleanLine(approval.requiredBy)));
  printLine(safeJson(approval.input, 2));
  for (;;) {
    const answer = await askOnce(approval, keyboard, signal);
    if (answer !== undefined) return answer;
  }
}

/** Asks what the agent should do next. Returns an empty text if the person ends the conversation. */
export function askNext(signal: AbortSignal, keyboard = PERSON): Promise<string> {
  return readAnswer('Follow up, or press Enter to end: ', keyboard, signal);
}

/** Returns whether there is a terminal on both sides. */
export function canAsk({ input, output } = PERSON): boolean {
  return Boolean(input.isTTY && output.isTTY);
}

/**
 * Asks once. Returns undefined if a rule was shown but not confirmed, or if the answer is only a single key.
 */
async function askOnce(
  { toolName, always }: WaitingApproval,
  keyboard: Keyboard,
  signal: AbortSignal,
): Promise<ApprovalAnswer | undefined> {
  const offered = typeof always === 'string';
  const words = await readAnswer(offered ? questionWith(always) : QUESTION, keyboard, signal);
  if (words === 'yes') return { approved: true };
  if (offered && words === 'r') return { approved: true, scope: 'run', always };
  if (offered && words === 'a') return confirmRule(toolName, always, keyboard, signal);
  if (BARE_KEY.test(words)) {
    printLine(yellow(`"${words}" isn't an answer here.`));
    return undefined;
  }
  printLine(dim('denied'));
  return words === '' || words === 'no' || words === 'n'
    ? { approved: false }
    : { approved: false, reason: words.slice(0, MAX_REASON) };
}

/**
 * Names the pattern, shown as JSON, because it allows more than this call: for a file, its path with any
 * text.
 */
function questionWith(always: string): string {
  return `Approve? Type "yes" to approve, "r" to also allow ${safeJson(always)} until the run ends, "a" to always allow it, or a reason to deny (sent to the agent): `;
}

/** Asks to confirm a rule, shown as JSON, so that nothing in it is hidden. */
async function confirmRule(
  toolName: string,
  always: string,
  keyboard: Keyboard,
  signal: AbortSignal,
): Promise<ApprovalAnswer | undefined> {
  const where = toolName === 'bash' ? ', in any folder and with any input' : '';
  printLine(
    `From now on, this is allowed in this workspace without approval, whoever starts the run${where}:`,
  );
  printLine(bold(`  ${cleanLine(toolName)} `), safeJson(always));
  const words = await readAnswer(CONFIRMATION, keyboard, signal);
  return words === 'always' ? { approved: true, always } : undefined;
}

/** Reads and drops lines typed ahead, because the terminal buffers them for the next reader. */
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

/** Reads an answer, and echoes it. The end of input is an empty answer. */
async function readAnswer(question: string, keyboard: Keyboard, signal: AbortSignal): Promise<string> {
  await dropTypedAhead(keyboard, signal);
  const { input, output } = keyboard;
  const terminal = createInterface({ input, output });
  try {
    const ended = new Promise<string>((done) => terminal.once('close', () => done('')));
    terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    const answer = terminal.question(question, { signal });
    return (await Promise.race([answer, ended])).trim();
  } finally {
    terminal.close();
  }
}
