import { InvalidInput } from '../errors.ts';
import { runIsolated } from '../isolation/run-isolated.ts';

const LIMITS = { timeoutMs: 10_000, maxOutputBytes: 4 * 1024 * 1024 };

/** The body of an import that a SKILL.md is. Throws InvalidInput. */
export async function readSkillText(bytes: Uint8Array): Promise<{ content: string }> {
  try {
    return { content: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    throw new InvalidInput('skill_file_invalid', 'The file must be UTF-8 text.');
  }
}

/** The same of a zip with a SKILL.md in it, at the top or in its one folder, as other tools pack skills. Throws InvalidInput. */
export async function readSkillZip(bytes: Uint8Array): Promise<{ content: string }> {
  const { program } = await import('./zip-program.ts');
  const content = await runIsolated(program, 'readSkill', { zip: new Uint8Array(bytes) }, LIMITS);
  return { content };
}
