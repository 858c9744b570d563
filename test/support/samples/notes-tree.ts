import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes files of one to four passages, some with the same text. */
export async function writeNotes(folder: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const directory = join(folder, `part-${index % 7}`);
    await mkdir(directory, { recursive: true });
    const paragraph = Array.from({ length: 120 }, (_, word) => `word${(index * 37 + word * 11) % 3000}`).join(
      ' ',
    );
    const paragraphs = Array.from({ length: 1 + (index % 5) }, () => paragraph);
    await writeFile(
      join(directory, `note-${index}.md`),
      `# Note ${index % 300}\n\n${paragraphs.join('\n\n')}\n`,
    );
  }
}
