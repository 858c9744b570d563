import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { bold, cleanLine, clearProgress, dim, printLine, safeJson, tellLine, yellow } from './terminal.ts';

/** What a run waits for, as the service has it. */
export interface WaitingApproval {
  id: string;
  toolName: string;
  input: unknown;
  summary: string;
  /** The pattern of the rule that an answer can add: exactly this, from now on. Services before this one say nothing of it. */
  always?: string | null;
  expiresAt: string;
}

export interface ApprovalAnswer {
  approved: boolean;
  reason?: string;
  always?: string;
}

/** Keys that were pressed before the question stood there answer nothing. */
const DRAIN_MS = 250;
/** The longest reason of an approval that the service takes. */
const MAX_REASON = 1000;
const QUESTION = 'Approve? Type "yes" to approve, or a reason to deny (sent to the agent): ';
const QUESTION_WITH_RULE =
  'Approve? Type "yes" to approve, "a" to always approve this, or a reason to deny (sent to the agent): ';
const CONFIRMATION = 'Type "always" to approve and add the rule, or anything else to go back: ';

/** Where the person is. */
export interface Keyboard {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
}

/**
 * Asks the person, with the exact arguments. Only the whole word `yes`, typed after the question, approves: Enter alone, an end
 * of input and what was typed ahead do not. A rule is added by the whole word `always`, after it was shown. Without a terminal
 * on both sides nobody can be asked, and the answer is no.
 */
export async function askApproval(
  approval: WaitingApproval,
  signal: AbortSignal,
  keyboard: Keyboard = { input: process.stdin, output: process.stdout },
): Promise<ApprovalAnswer> {
  if (!canAsk(keyboard)) {
    tellLine(yellow('denied '), `${cleanLine(approval.toolName)}: no terminal to ask for approval on`);
    return { approved: false, reason: 'There was no terminal to ask for approval on.' };
  }
  clearProgress();
  printLine();
  printLine(bold(`${cleanLine(approval.toolName)} needs your approval: `), cleanLine(approval.summary));
  printLine(safeJson(approval.input, 2));
  for (;;) {
    const answer = await askOnce(approval, keyboard, signal);
    if (answer !== undefined) return answer;
  }
}

/** Whether there is a terminal on both sides. */
export function canAsk(
  { input, output }: Keyboard = { input: process.stdin, output: process.stdout },
): boolean {
  return Boolean(input.isTTY && output.isTTY);
}

/** Undefined for a rule that was looked at, and not wanted. */
async function askOnce(
  { toolName, always }: WaitingApproval,
  keyboard: Keyboard,
  signal: AbortSignal,
): Promise<ApprovalAnswer | undefined> {
  const offered = typeof always === 'string';
  const words = await readAnswer(offered ? QUESTION_WITH_RULE : QUESTION, keyboard, signal);
  if (words === 'yes') return { approved: true };
  if (offered && words === 'a') return confirmRule(toolName, always, keyboard, signal);
  printLine(dim('denied'));
  return words === '' || words === 'no'
    ? { approved: false }
    : { approved: false, reason: words.slice(0, MAX_REASON) };
}

/** Shown as JSON: nothing of it is hidden. */
async function confirmRule(
  toolName: string,
  always: string,
  keyboard: Keyboard,
  signal: AbortSignal,
): Promise<ApprovalAnswer | undefined> {
  printLine('From now on, this is allowed in this workspace without approval, whoever starts the run:');
  printLine(bold(`  ${cleanLine(toolName)} `), safeJson(always));
  const words = await readAnswer(CONFIRMATION, keyboard, signal);
  return words === 'always' ? { approved: true, always } : undefined;
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

/** What is typed after the question stands there; an end of input is an empty answer. */
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
