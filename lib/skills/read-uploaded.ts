import { InvalidInput } from '../errors.ts';
import { runIsolated } from '../isolation/run-isolated.ts';

const LIMITS = { timeoutMs: 10_000, maxOutputBytes: 4 * 1024 * 1024 };

/** Returns the import body of a SKILL.md. Throws InvalidInput. */
export async function readSkillText(bytes: Uint8Array): Promise<{ content: string }> {
  try {
    return { content: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    throw new InvalidInput('skill_file_invalid', 'The file must be UTF-8 text.');
  }
}

/**
 * Returns the import body of a zip with a SKILL.md at the top or in its one folder, as other tools package skills. Throws
 * InvalidInput.
 */
export async function readSkillZip(bytes: Uint8Array): Promise<{ content: string }> {
  const { program } = await import('./zip-program.ts');
  const content = await runIsolated(program, 'readSkill', { zip: new Uint8Array(bytes) }, LIMITS);
  return { content };
}
