import type { ParseArgsConfig } from 'node:util';
import type { Context } from './workspace.ts';

export type Options = NonNullable<ParseArgsConfig['options']>;
export type Values = Record<string, string | boolean | string[] | undefined>;

/** The options of every command. */
const COMMON_OPTIONS = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies Options;

/** The options of commands that use a service, or a workspace in a service. */
const OPTIONS_OF_USE = {
  nothing: {},
  service: { url: { type: 'string' } },
  workspace: { url: { type: 'string' }, workspace: { type: 'string', short: 'w' } },
} as const satisfies Record<string, Options>;

/** The names of all these options. */
export const GENERAL_OPTIONS = Object.keys({ ...OPTIONS_OF_USE.workspace, ...COMMON_OPTIONS });

/** A `wrs` command. */
export interface Command {
  name: string;
  /** The arguments after the name, for the help. */
  usage: string;
  /** One line that describes the command. */
  summary: string;
  uses: keyof typeof OPTIONS_OF_USE;
  /** The command's options, in addition to those that all commands with the same `uses` share. */
  options?: Options;
  /** Completions after the name: the names of actions, or a folder. */
  completes: 'folder' | readonly string[];
  /** Descriptions of the options, for the help. */
  optionTexts?: Record<string, string>;
  run(call: Call): Promise<void>;
}

export interface Call {
  context: Context;
  /** The arguments after the name. */
  words: string[];
  values: Values;
  commands: readonly Command[];
}

/** Returns all options of a command, its own first. */
export function optionsOf({ options = {}, uses }: Command): Options {
  return { ...options, ...OPTIONS_OF_USE[uses], ...COMMON_OPTIONS };
}

/** Returns the option as text, if given. */
export function textOf(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}
