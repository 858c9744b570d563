import { InvalidInput } from '../errors.ts';
import { openArchive } from '../formats/office/archive.ts';
import { isolatedProgram } from '../isolation/program.ts';

const NAME = /^(?:[^/]+\/)?SKILL\.md$/i;
const MAX_BYTES = 1024 * 1024;

/** Zips are untrusted, so they are read in a separate process. */
export const program = isolatedProgram(import.meta, { readSkill });

async function readSkill({ zip }: { zip: Uint8Array }): Promise<string> {
  const engine = (await import('yauzl')).default;
  const archive = await openArchive(engine, zip, 'zip');
  const [name, another] = archive.names().filter((each) => NAME.test(each));
  if (name === undefined) throw new InvalidInput('skill_file_invalid', 'The ZIP contains no SKILL.md.');
  if (another !== undefined)
    throw new InvalidInput('skill_file_invalid', 'The ZIP contains more than one SKILL.md.');
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of archive.read(name)) {
    bytes += piece.length;
    if (bytes > MAX_BYTES)
      throw new InvalidInput('skill_file_invalid', 'The SKILL.md can have at most 1 MB.');
    pieces.push(piece);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(pieces));
  } catch {
    throw new InvalidInput('skill_file_invalid', 'The SKILL.md must be UTF-8 text.');
  }
}
