import type { ParseArgsConfig } from 'node:util';
import type { Context } from './workspace.ts';

export type Options = NonNullable<ParseArgsConfig['options']>;
export type Values = Record<string, string | boolean | string[] | undefined>;

/** The options of every command. */
export const COMMON_OPTIONS = {
  json: { type: 'boolean' },
  url: { type: 'string' },
  workspace: { type: 'string', short: 'w' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies Options;

/** A command after `wrs`. */
export interface Command {
  name: string;
  /** The arguments after the name, for the help. */
  usage: string;
  /** What it does, in one line. */
  summary: string;
  /** Its options in addition to those of every command. */
  options?: Options;
  /** What can follow the name, for completion: the words of an action, or a folder. */
  completes: 'folder' | readonly string[];
  /** Descriptions of the options, for the help. */
  optionTexts?: Record<string, string>;
  run(call: Call): Promise<void>;
}

export interface Call {
  context: Context;
  /** The words after the name. */
  words: string[];
  values: Values;
  /** All commands. */
  commands: readonly Command[];
}

/** Returns the option as text, if it was given. */
export function textOf(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}
