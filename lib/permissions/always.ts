import { InvalidInput } from '../errors.ts';
import type { Grant } from './schema.ts';
import { fitTo, type PatternKind } from './template.ts';

/**
 * Whether a person may answer with this pattern: it is about something that they were asked, and says of a command which
 * program it is. Throws InvalidInput that names what patterns can be about.
 */
export function requireSeen(
  { tool, pattern, kind }: Grant & { kind: PatternKind },
  subjects: string[],
): void {
  if (subjects.length === 0) throw new InvalidInput('always: this is asked about each time');
  if (tool === 'bash' && !/^[^\s*]+( |$)/.test(pattern))
    throw new InvalidInput('always: begins with the whole name of a program, such as `git pull *`');
  if (kind === 'path' && !/[^*/.]/.test(pattern))
    throw new InvalidInput('always: names a folder or a kind of file, such as `src/**`');
  if (subjects.some((subject) => fitTo(kind, pattern, subject) === 'surely')) return;
  const asked = subjects.slice(0, 5).map((subject) => JSON.stringify(subject));
  throw new InvalidInput(`always: fits nothing that was asked: ${asked.join(', ')}`.slice(0, 1000));
}
