import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { readArguments, UsageError } from '../infra/command-line.ts';
import { commands } from './all-commands.ts';
import { COMMON_OPTIONS, type Command, textOf, type Values } from './command.ts';
import { EXIT, Failure } from './failure.ts';
import { helpFor, helpOfAll } from './help.ts';
import { clearProgress, red, safeJson, tellLine } from './terminal.ts';

/** The longest time a command may take to clear up behind itself. */
const CLEAR_MS = 5000;

/**
 * `wrs`: a client of the API, and the starter of a service where none runs. Whatever ends it, in order or by a signal, ends
 * what it began; a second signal does not wait for that.
 */
const tasks: (() => Promise<void>)[] = [];
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
// Whoever reads us may stop reading: `wrs search … | head -1`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  interrupt();
});

const isJson = process.argv.includes('--json');
try {
  await run(process.argv.slice(2));
} catch (error) {
  process.exitCode = tellFailure(error);
} finally {
  await endAll();
}
await new Promise<void>((done) => process.stdout.write('', () => done()));
process.exit();

function interrupt(): void {
  if (interruption.signal.aborted) process.exit(EXIT.interrupted);
  interruption.abort();
}

async function run([name, ...args]: string[]): Promise<void> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(helpOfAll(commands));
    if (name === undefined) process.exitCode = EXIT.usage;
    return;
  }
  const command = commands.find((one) => one.name === name);
  if (command === undefined) throw new UsageError(`wrs has no ${name}: see wrs --help`);
  const { positionals, values } = readArguments({ ...COMMON_OPTIONS, ...command.options }, args);
  if (values.help) process.stdout.write(helpFor(command));
  else await runCommand(command, positionals, values as Values);
}

async function runCommand(command: Command, words: string[], values: Values): Promise<void> {
  const context = {
    url: textOf(values, 'url'),
    workspace: textOf(values, 'workspace'),
    isJson: values.json === true,
    signal: interruption.signal,
    whenDone: (task: () => Promise<void>) => void tasks.push(task),
  };
  const work = command.run({ context, words, values, commands });
  await Promise.race([work, interrupted()]);
}

/** Work that does not hear the signal is left behind: the process ends. */
async function interrupted(): Promise<never> {
  await once(interruption.signal, 'abort');
  await sleep(CLEAR_MS);
  throw interruption.signal.reason;
}

async function endAll(): Promise<void> {
  clearProgress();
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) await task().catch(() => {});
}

/** Tells the failure in words, without a stack; answers the exit code. */
function tellFailure(error: unknown): number {
  if (interruption.signal.aborted) {
    tellLine('stopped');
    return EXIT.interrupted;
  }
  const { message } = error as Error;
  const status = error instanceof Failure ? error.status : undefined;
  if (isJson) process.stderr.write(`${safeJson({ error: message, status })}\n`);
  else tellLine(red('wrs: '), message);
  if (error instanceof Failure) return error.exit;
  return error instanceof UsageError ? EXIT.usage : EXIT.failed;
}
