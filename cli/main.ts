import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { meant, readArguments, UsageError } from '../infra/command-line.ts';
import { endBySignal, endProcess } from '../infra/end-process.ts';
import packageFile from '../package.json' with { type: 'json' };
import { commands } from './all-commands.ts';
import { type Command, GENERAL_OPTIONS, optionsOf, textOf, type Values } from './command.ts';
import { EXIT, Failure } from './failure.ts';
import { helpFor, helpOfAll } from './help.ts';
import { clearProgress, printJson, red, tellInJson, tellJson, tellLine } from './terminal.ts';

/** Maximum milliseconds that a command may take to clean up. */
const CLEAR_MS = 5000;

/**
 * `wrs`: a client of the API, which starts a service if none is running. However a command ends, it stops what it
 * started; a second signal doesn't wait for that.
 */
const tasks: (() => Promise<void>)[] = [];
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
// Programs that read our output may stop reading: `wrs search … | head -1`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  interruption.abort();
});

const args = process.argv.slice(2);
const isJson = args.slice(0, args.includes('--') ? args.indexOf('--') : undefined).includes('--json');
if (isJson) tellInJson();
try {
  await run(args);
} catch (error) {
  process.exitCode = tellFailure(error);
} finally {
  await endAll();
}
endProcess();

function interrupt(signal: NodeJS.Signals): void {
  if (interruption.signal.aborted) endBySignal(signal);
  interruption.abort();
}

async function run(given: string[]): Promise<void> {
  const [name, ...args] = given[0] === '--json' ? [...given.slice(1), '--json'] : given;
  if (name === '--version' || name === '-V') return say('version', packageFile.version);
  if (name === undefined || name === '--json') process.exitCode = EXIT.usage;
  if (name === undefined || ['--json', '--help', '-h', 'help'].includes(name))
    return say('help', helpOfAll(commands));
  const command = commands.find((one) => one.name === name);
  if (command === undefined) throw unknownCommand(name);
  const { positionals, values } = readArguments(optionsOf(command), args);
  if (values.help) say('help', helpFor(command));
  else await runCommand(command, positionals, values as Values);
}

function say(what: 'version' | 'help', text: string): void {
  if (isJson) printJson({ [what]: text });
  else process.stdout.write(`${text.trimEnd()}\n`);
}

function unknownCommand(name: string): UsageError {
  if (name.startsWith('-')) {
    const known = [...GENERAL_OPTIONS, 'version'].map((option) => `--${option}`);
    if (!known.includes(name)) return new UsageError(`Unknown option ${name}.${meant(name, known)}`);
    return new UsageError(`${name} must come after the command: wrs COMMAND ${name}`);
  }
  const names = commands.map((command) => command.name);
  return new UsageError(`Unknown command ${name}.${meant(name, names) || ' See wrs --help.'}`);
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

/** Ends the process, abandoning work that ignores the signal. */
async function interrupted(): Promise<never> {
  await once(interruption.signal, 'abort');
  await sleep(CLEAR_MS);
  throw interruption.signal.reason;
}

async function endAll(): Promise<void> {
  clearProgress();
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) await task().catch(() => {});
}

/** Prints the failure without a stack, and returns the exit code. */
function tellFailure(error: unknown): number {
  if (interruption.signal.aborted) {
    if (isJson) tellJson({ error: 'Stopped.' });
    else tellLine('Stopped.');
    return EXIT.interrupted;
  }
  const message = messageOf(error as Error);
  const { status, code, help } = error instanceof Failure ? error : {};
  if (isJson) tellJson({ error: message, status, code });
  else tellLine(red('wrs: '), message, help === undefined ? '' : ` ${help}`);
  if (error instanceof Failure) return error.exit;
  return error instanceof UsageError ? EXIT.usage : EXIT.failed;
}

/**
 * Returns an error's message. A TypeError or RangeError comes from a response field of a wrong type, and its own
 * message is about our code.
 */
function messageOf(error: Error): string {
  if (!(error instanceof TypeError || error instanceof RangeError)) return error.message;
  return `Can't read the response of the service (${error.message}). Check that both have the same version.`;
}
