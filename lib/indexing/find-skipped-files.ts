import { withoutClosed } from '../datasets/links/mounts.ts';
import type { Records } from '../ports/records.ts';
import { type LeftOutFile, toLeftOut } from './list-files.ts';
import { filesPartition, leftOutPrefix } from './schema.ts';

const MAX_TEXT = 4000;
const MAX_NAME = 120;
/** Maximum names to look up and to return. */
const MAX_CANDIDATES = 32;
const MAX_FILES = 5;

const EXTENSION = /\.[a-z0-9]{1,12}(?![a-z0-9])/gi;
/** Characters that precede a name or a folder without belonging to it. */
const BEFORE_NAME = /[\n\r\t/\\"`“”‘’«»「」『』《》<>|:*?]/;
/** A name may contain spaces. In scripts without spaces, nothing else shows where it starts. */
const BEGINNING =
  /^|(?<=[\s([{,;，。、；（【])(?=\S)|(?<=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}])|(?=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}])/gu;

/** Returns files that a text names but that aren't in the index, by looking up a limited number of possible names. */
export async function findSkippedFiles(
  records: Records,
  workspaceId: string,
  text: string,
): Promise<LeftOutFile[]> {
  const names = namesIn(text.slice(0, MAX_TEXT));
  const all = (await Promise.all(names.map((name) => namesakes(records, workspaceId, name)))).flat();
  const found = await withoutClosed(records, workspaceId, all);
  const byPath = found.filter(({ path }) => text.includes(path));
  const longest = byPath.filter(({ path }) => !byPath.some((other) => other.path.endsWith(`/${path}`)));
  const files = longest.length > 0 ? longest : found;
  return [...new Map(files.map((file) => [file.path, file])).values()].slice(0, MAX_FILES);
}

/** Returns each text that ends in a file extension, from every position at which its name may start. */
export function namesIn(text: string): string[] {
  const names = new Set<string>();
  for (const { index, 0: extension } of text.matchAll(EXTENSION)) {
    const before =
      text
        .slice(Math.max(0, index - MAX_NAME), index)
        .split(BEFORE_NAME)
        .at(-1) ?? '';
    const starts = [...before.matchAll(BEGINNING)].map((match) => match.index);
    for (const start of starts.reverse()) {
      if (start < before.length) names.add((before.slice(start) + extension).toLowerCase());
    }
  }
  return [...names].slice(0, MAX_CANDIDATES);
}

async function namesakes(records: Records, workspaceId: string, name: string): Promise<LeftOutFile[]> {
  const states = ['failed', 'skipped'] as const;
  const pages = await Promise.all(
    states.map((state) =>
      records.query({
        partition: filesPartition(workspaceId),
        byIndex: true,
        sortPrefix: leftOutPrefix(state, name),
        limit: MAX_FILES,
      }),
    ),
  );
  return pages.flatMap((page, index) => toLeftOut(page, states[index] ?? 'failed'));
}
