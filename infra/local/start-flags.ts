import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isInstalled } from '../../lib/config/installation.ts';
import { findOwnFile } from '../../lib/isolation/folders-above.ts';

/**
 * Node's flags for the service, the same as in `npm start` (package.json). They make the garbage collector free a
 * search's memory soon. A heap that may double before a full collection used 120 MB more at the same search rate. Up to
 * 64 MB, which a start needs anyway, the heap isn't collected as a whole: that takes a tenth of a start's CPU time.
 */
export const START_FLAGS = [
  '--max-semi-space-size=4',
  '--heap-growing-percent=50',
  '--initial-old-space-size=64',
];

/** The program to start: the installed package is built already. */
export const START =
  findOwnFile(import.meta.dirname, 'infra/local/installed.mjs', 'infra/local/start.ts') ?? '';

/**
 * The first is a setting of the C library: without it, each thread has its own arena, which keeps freed memory. The
 * second is Node's: a start loads compiled code instead of compiling it, which saves a fifth of its CPU time. Removing
 * old builds also removes this folder. The installed package may be read-only, and uses the folder that `wrs` sets.
 */
export const START_VARIABLES: Record<string, string> = {
  MALLOC_ARENA_MAX: '2',
  ...(!isInstalled && { NODE_COMPILE_CACHE: resolve(import.meta.dirname, '../../.build/compiled') }),
};

/** The default URL of both LocalStack and MiniStack. */
const EMULATOR_URL = 'http://127.0.0.1:4566';

interface StartOptions {
  /** URL of the emulator with the AWS services. */
  aws?: string | undefined;
  /** URL of the emulator with DynamoDB, if `aws` doesn't have it. */
  dynamodb?: string | undefined;
  embedded?: boolean | undefined;
  /** Folders that workspaces may use, in addition to WORKSPACE_ROOTS. */
  roots: string[];
}

/** Reads the options of `npm start`. A bare `--aws` means the emulators' default URL. Throws an error for the user. */
export function readStartOptions(args: string[]): StartOptions {
  const given = args.flatMap((arg, index) =>
    arg === '--aws' && !isValue(args[index + 1]) ? [arg, EMULATOR_URL] : [arg],
  );
  const options = {
    aws: { type: 'string' },
    dynamodb: { type: 'string' },
    embedded: { type: 'boolean' },
  } as const;
  const { values, positionals } = parseArgs({ args: given, options, allowPositionals: true });
  if (values.dynamodb !== undefined && values.aws === undefined)
    throw new Error('--dynamodb needs --aws: add --aws, or omit both.');
  return {
    ...values,
    roots: positionals,
    aws: readUrl('--aws', values.aws),
    dynamodb: readUrl('--dynamodb', values.dynamodb),
  };
}

function isValue(arg: string | undefined): boolean {
  return arg !== undefined && !arg.startsWith('--');
}

/** Replaces `localhost`, because the SDK puts a bucket's name before a host name, but not before an IP address. */
function readUrl(option: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Error(`${option} must be a URL such as ${EMULATOR_URL}.`);
  if (url.hostname === 'localhost') url.hostname = '127.0.0.1';
  return url.href.replace(/\/$/, '');
}
