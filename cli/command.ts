import type { ParseArgsConfig } from 'node:util';
import type { Context } from './workspace.ts';

export type Options = NonNullable<ParseArgsConfig['options']>;
export type Values = Record<string, string | boolean | undefined>;

/** The options that every command has. */
export const COMMON_OPTIONS = {
  json: { type: 'boolean' },
  url: { type: 'string' },
  workspace: { type: 'string', short: 'w' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies Options;

/** A word after `wrs`. */
export interface Command {
  name: string;
  /** What follows the name, for the help. */
  usage: string;
  /** What it does, in one line. */
  summary: string;
  /** Its options beside those that every command has. */
  options?: Options;
  /** What may stand behind the name, for completion: the words of an action, or a folder. */
  completes: 'folder' | readonly string[];
  /** What each option says, for the help. */
  optionTexts?: Record<string, string>;
  run(call: Call): Promise<void>;
}

export interface Call {
  context: Context;
  /** The words behind the name. */
  words: string[];
  values: Values;
  /** All that there are. */
  commands: readonly Command[];
}

/** The option as text, if it was given. */
export function textOf(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}
