import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const MB = 1024 * 1024;
const fill = (piece: string, bytes: number) => piece.repeat(Math.ceil(bytes / piece.length)).slice(0, bytes);

/**
 * Contents with the highest cost for reading, splitting, rendering, or searching a file: by path, the larger
 * ones with this many bytes.
 */
export function worstContents(bytes = 5 * MB): Record<string, () => string> {
  const depth = Math.floor(bytes / 100);
  return {
    'zeros.txt': () => fill('0 ', bytes),
    'one-line.md': () => fill('word ', bytes),
    'one-word.txt': () => fill('a', bytes),
    'rows.log': () => fill('2026-01-01 GET / 200 12ms\n', bytes),
    'deep-quotes.md': () => fill(`${'> '.repeat(500)}x\n`, bytes),
    'deep-list.md': () => Array.from({ length: 2000 }, (_, at) => `${'  '.repeat(at)}- x`).join('\n'),
    'deep.html': () => `${'<div>'.repeat(depth / 10)}x${'</div>'.repeat(depth / 10)}`,
    'deep.json': () => `${'['.repeat(depth)}${']'.repeat(depth)}`,
    'headings.md': () => Array.from({ length: 10_000 }, (_, at) => `# Heading ${at}\n\nText.\n`).join('\n'),
    'columns.csv': () => fill(`${Array.from({ length: 500 }, (_, at) => `c${at}`).join()}\n`, bytes),
    'stars.md': () => fill('*a **b _c `d [e](', bytes),
    'entities.html': () => fill('&amp;&lt;<b>', bytes),
    'blanks.txt': () => `${fill(' ', bytes - 1)}x`,
    'marks.md': () => fill('[1][2]【3】[S4] ', bytes),
  };
}

/** Writes the contents, and a folder with that many files. */
export async function writeWorstContents(
  root: string,
  { bytes = 5 * MB, names = 20_000 } = {},
): Promise<string[]> {
  const contents = worstContents(bytes);
  for (const [path, make] of Object.entries(contents)) await write(join(root, path), make());
  for (let at = 0; at < names; at++)
    await write(join(root, `many/file-${at}.md`), `# File ${at}\n\nowl ${at}\n`);
  return Object.keys(contents);
}

async function write(place: string, text: string): Promise<void> {
  await mkdir(dirname(place), { recursive: true });
  await writeFile(place, text);
}
