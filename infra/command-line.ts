import { existsSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ServiceError } from '../lib/errors.ts';

/** A mistake of the person at the keyboard: told with the usage, exit code 2. */
export class UsageError extends Error {}

/** Runs a program of `npm run`, with `.env` of the current folder; what goes wrong is told without a stack. */
export async function runCommandLine(usage: string, run: () => Promise<void>): Promise<void> {
  try {
    if (existsSync('.env')) process.loadEnvFile('.env');
    await run();
  } catch (error) {
    const asked = error instanceof UsageError || error instanceof ServiceError;
    console.error((error as Error).message);
    if (error instanceof UsageError) console.error(usage);
    process.exitCode = asked ? 2 : 1;
  }
}

/** The words of the call, and its options; throws UsageError for one that is not among them. */
export function readArguments<const Options extends NonNullable<ParseArgsConfig['options']>>(
  options: Options,
  args = process.argv.slice(2),
) {
  try {
    return parseArgs({ allowPositionals: true, options, args });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
