import { InvalidInput } from '../errors.ts';
import { type Grant, patternSchema } from './schema.ts';
import { fitTo, type PatternKind } from './template.ts';

/**
 * Whether a person may answer with this pattern: it is about something that they were asked, and says of a command which
 * program it is. Throws InvalidInput that names what patterns can be about.
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

/** A pattern that a person types or presses is shown whole, on one line. */
const MAX_OFFERED_BYTES = 160;
/** What is not plain, and what stands in a subject for something unknown. */
const NOT_OFFERED = /[\p{C}*…`<]|[^\S ]| {2}/u;

/**
 * The narrowest pattern that a person may answer with: exactly what was asked about, and nothing else. Null where several
 * things were asked about at once, or what it says cannot be shown to the letter.
 */
export function suggestPattern(tool: string, subjects: string[]): string | null {
  const [subject, second] = subjects;
  if (subject === undefined || second !== undefined || subject.trim() !== subject) return null;
  if (Buffer.byteLength(subject) > MAX_OFFERED_BYTES || NOT_OFFERED.test(subject)) return null;
  if (!patternSchema.safeParse(subject).success) return null;
  try {
    // Both kinds of pattern fit the same where there are no wildcards; the stricter of the two words counts.
    requireSeen({ tool, pattern: subject, kind: 'text' }, subjects);
    requireSeen({ tool, pattern: subject, kind: 'path' }, subjects);
    return subject;
  } catch (error) {
    if (error instanceof InvalidInput) return null;
    throw error;
  }
}
