import { onlyReads } from '../api-contract/always-scope.ts';
import { InvalidInput } from '../errors.ts';
import { isGitPath } from './git-folder.ts';
import { type Grant, patternSchema } from './schema.ts';
import { isOpaque, programName } from './shell/programs.ts';
import { fitTo, type PatternKind } from './template.ts';

/**
 * Checks that a person may use this pattern in an answer: it must match something that they were asked about
 * and, for a command, name the program. Throws InvalidInput, which lists the possible patterns.
 */
export function requireSeen(
  { tool, pattern, kind }: Grant & { kind: PatternKind },
  subjects: string[],
): void {
  if (subjects.length === 0)
    throw new InvalidInput(
      'always_not_allowed',
      "always can't be used: this action needs approval every time.",
      { field: 'always' },
    );
  if (tool === 'bash' && !/^[^\s*]+( |$)/.test(pattern))
    throw new InvalidInput(
      'rule_pattern_invalid',
      'always must begin with the whole name of a program, such as `git pull *`.',
      { field: 'always' },
    );
  if (kind === 'path' && !/[^*/.]/.test(pattern))
    throw new InvalidInput(
      'rule_pattern_invalid',
      'always must name a folder or a kind of file, such as `src/**`.',
      { field: 'always' },
    );
  if (subjects.some((subject) => fitTo(kind, pattern, subject) === 'surely')) return;
  const asked = subjects.slice(0, 5).map((subject) => JSON.stringify(subject));
  throw new InvalidInput(
    'rule_pattern_invalid',
    `always must match what the approval is about: ${asked.join(', ')}`.slice(0, 1000),
    { field: 'always' },
  );
}

/** The parts of an approval that an offered pattern depends on. */
interface Asked {
  toolName: string;
  /** The arguments of the call, as shown to the person. */
  input: unknown;
  subjects: string[];
}

/** Maximum size, because offered patterns are shown in full, on one line. */
const MAX_OFFERED_BYTES = 160;
/** Invisible or ambiguous characters, and the mark for an unknown part of a subject. */
const NOT_OFFERED = /[\p{C}*…`<]|[^\S ]| {2}/u;

/**
 * Returns the narrowest pattern that a person may answer with, which matches exactly what was asked about.
 * Null if several things were asked about at once, if the text can't be shown exactly, or if the pattern
 * would allow more than is shown.
 */
export function suggestPattern({ toolName: tool, input, subjects }: Asked): string | null {
  const [subject, second] = subjects;
  if (subject === undefined || second !== undefined || subject.trim() !== subject) return null;
  if (Buffer.byteLength(subject) > MAX_OFFERED_BYTES || NOT_OFFERED.test(subject)) return null;
  if (!patternSchema.safeParse(subject).success) return null;
  if (tool === 'bash' && !(isWholeLine(subject, input) && showsWhatRuns(subject))) return null;
  // Without wildcards, both kinds of pattern match the same text, so the stricter decision counts.
  const kinds: PatternKind[] = ['text', 'path'];
  return kinds.every((kind) => isSeen({ tool, pattern: subject, kind }, subjects)) ? subject : null;
}

/**
 * Returns whether a pattern for the subject would match exactly the shown line. A pattern has no folder,
 * input, or variable, and doesn't show where a word ends: `rm a b` may also be `rm "a b"`.
 */
function isWholeLine(subject: string, input: unknown): boolean {
  const { command } = input as { command?: unknown };
  if (typeof command !== 'string') return false;
  return command.trim().replace(PLAIN_QUOTES, '$2').replace(NO_ERRORS, '') === subject;
}

const PLAIN_QUOTES = /(?<=^| )(["'])([\w./:=@,+-]+)\1(?=$| )/g;
/** Matches redirections that don't write a file. */
const NO_ERRORS = / 2>(&1| ?\/dev\/null)$/;

/**
 * Returns false for an interpreter without a file or script, because it runs its input, which a pattern doesn't
 * contain: `python3 -` can be any program.
 */
function showsWhatRuns(command: string): boolean {
  const [program = '', ...args] = command.split(' ');
  const name = programName(program)?.toLowerCase();
  if (name === undefined || !isOpaque(name, args)) return true;
  if (args.some((word) => INPUT.test(word))) return false;
  return NAMES_ITS_FILE.test(name) || args.some((word) => !word.startsWith('-'));
}

/** Matches arguments that mean "read the input": `make -f-`, `bash -s x`. */
const INPUT = /^(-(\w?-)?|-s|\/dev\/.*)$/;

/** Matches programs that run a file with a fixed name in the current folder. */
const NAMES_ITS_FILE = /^(g?make|npm|pnpm|yarn|bun|just|cargo|go|pytest|tox|nox|ninja)$/;

const MAX_WIDER = 3;

/**
 * Returns wider patterns that a person can choose: the folder of a file, files of the same type there, and
 * other arguments of a program that can only read. `requireSeen` accepts each of them.
 */
export function suggestWider(kind: PatternKind, asked: Asked): string[] {
  const { toolName: tool, subjects } = asked;
  const exact = suggestPattern(asked);
  if (exact === null) return [];
  const wider = (kind === 'path' ? widerPaths(exact) : tool === 'bash' ? widerCommands(exact) : []).filter(
    (pattern) => pattern !== exact && isSeen({ tool, pattern, kind }, subjects),
  );
  return [...new Set(wider)].slice(0, MAX_WIDER);
}

function widerPaths(path: string): string[] {
  if (isGitPath(path)) return []; // Git runs programs from such a folder
  const slash = path.lastIndexOf('/');
  const folder = path.slice(0, slash + 1);
  const [extension] = /(?<=[^/])\.[A-Za-z0-9]{1,10}$/.exec(path) ?? [];
  return [
    ...(extension === undefined ? [] : [`${folder}*${extension}`]),
    ...(folder === '' ? [] : [`${folder}**`]),
  ];
}

/**
 * Other programs are excluded: with some arguments, they write, delete, or start programs, and a pattern
 * can't exclude these.
 */
function widerCommands(command: string): string[] {
  const [program = ''] = command.split(' ');
  return onlyReads(program) ? [`${program} *`] : [];
}

function isSeen(grant: Grant & { kind: PatternKind }, subjects: string[]): boolean {
  try {
    requireSeen(grant, subjects);
    return true;
  } catch (error) {
    if (error instanceof InvalidInput) return false;
    throw error;
  }
}
