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
  try {
    // Without wildcards both kinds of pattern match the same; the stricter decision counts.
    requireSeen({ tool, pattern: subject, kind: 'text' }, subjects);
    requireSeen({ tool, pattern: subject, kind: 'path' }, subjects);
    return subject;
  } catch (error) {
    if (error instanceof InvalidInput) return null;
    throw error;
  }
}
