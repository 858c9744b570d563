import { existsSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ServiceError } from '../lib/errors.ts';
import { closestMatch } from '../lib/validation/closest-match.ts';

/** A usage error: printed with the usage, exit code 2. */
export class UsageError extends Error {}

/** Runs a program of `npm run`, with `.env` of the current folder; failures are printed without a stack. */
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

type Options = NonNullable<ParseArgsConfig['options']>;

/** Returns the positional arguments and the options. Throws UsageError for an unknown or wrongly used option. */
export function readArguments<const Known extends Options>(options: Known, args = process.argv.slice(2)) {
  const { tokens } = parseArgs({ allowPositionals: true, strict: false, tokens: true, options, args });
  for (const token of tokens) if (token.kind === 'option') requireFits(token, options);
  return parseArgs({ allowPositionals: true, options, args });
}

interface OptionToken {
  name: string;
  rawName: string;
  value?: string | undefined;
  inlineValue?: boolean | undefined;
}

/**
 * Throws UsageError with its own message, because the message of parseArgs mentions parseArgs's own syntax.
 */
function requireFits({ name, rawName, value, inlineValue }: OptionToken, options: Options): void {
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined)
    throw new UsageError(`Unknown option ${rawName}.${meant(rawName, namesOf(options))}`);
  if (option.type === 'boolean' && value !== undefined) throw new UsageError(`${rawName} takes no value.`);
  if (option.type === 'string' && value === undefined) throw new UsageError(`${rawName} needs a value.`);
  if (option.type === 'string' && value?.startsWith('-') && value !== '-' && !inlineValue)
    throw new UsageError(
      `${rawName} needs a value. For a value that begins with -, write ${rawName}=${value}`,
    );
}

function namesOf(options: Options): string[] {
  return Object.keys(options).map((name) => `--${name}`);
}

/**
 * Returns the end of a message about an unknown name, which suggests the most similar known name; empty if no
 * name is similar.
 */
export function meant(written: string, known: string[]): string {
  const found = closestMatch(written, known);
  return found === undefined ? '' : ` Did you mean ${found}?`;
}
