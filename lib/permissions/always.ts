import { InvalidInput } from '../errors.ts';
import { type Grant, patternSchema } from './schema.ts';
import { fitTo, type PatternKind } from './template.ts';

/**
 * Checks that a person may answer with this pattern: it matches something that they were asked about and, for a command, names
 * the program. Throws InvalidInput that lists the possible patterns.
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

/** Offered patterns are shown completely, on one line. */
const MAX_OFFERED_BYTES = 160;
/** Invisible or ambiguous characters, and the mark of an unknown part of a subject. */
const NOT_OFFERED = /[\p{C}*…`<]|[^\S ]| {2}/u;

/**
 * Returns the narrowest pattern that a person may answer with: exactly what was asked about. Null if several things were asked
 * about at once, or if the text can't be shown exactly.
 */
export function suggestPattern(tool: string, subjects: string[]): string | null {
  const [subject, second] = subjects;
  if (subject === undefined || second !== undefined || subject.trim() !== subject) return null;
  if (Buffer.byteLength(subject) > MAX_OFFERED_BYTES || NOT_OFFERED.test(subject)) return null;
  if (!patternSchema.safeParse(subject).success) return null;
  // Without wildcards both kinds of pattern match the same; the stricter decision counts.
  const kinds: PatternKind[] = ['text', 'path'];
  return kinds.every((kind) => isSeen({ tool, pattern: subject, kind }, subjects)) ? subject : null;
}

const MAX_WIDER = 3;

/**
 * Returns wider patterns that a person can choose for what was asked about: the folder of a file, its kind of file there, a
 * command with other arguments. Each is one that `requireSeen` accepts.
 */
export function suggestWider(tool: string, kind: PatternKind, subjects: string[]): string[] {
  const exact = suggestPattern(tool, subjects);
  if (exact === null) return [];
  const wider = (kind === 'path' ? widerPaths(exact) : tool === 'bash' ? widerCommands(exact) : []).filter(
    (pattern) => pattern !== exact && isSeen({ tool, pattern, kind }, subjects),
  );
  return [...new Set(wider)].slice(0, MAX_WIDER);
}

function widerPaths(path: string): string[] {
  const slash = path.lastIndexOf('/');
  const folder = path.slice(0, slash + 1);
  const [extension] = /(?<=[^/])\.[A-Za-z0-9]{1,10}$/.exec(path) ?? [];
  return [
    ...(extension === undefined ? [] : [`${folder}*${extension}`]),
    ...(folder === '' ? [] : [`${folder}**`]),
  ];
}

/** Only after a subcommand: a program alone is anything that it can do. */
function widerCommands(command: string): string[] {
  const [program = '', subcommand = ''] = command.split(' ');
  return /^[a-z][a-z-]+$/.test(subcommand) ? [`${program} ${subcommand} *`] : [];
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
