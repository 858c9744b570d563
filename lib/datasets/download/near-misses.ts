import { InvalidInput } from '../../errors.ts';
import { pathFilter } from './fnmatch.ts';

const MOST_SHOWN = 5;
/** Maximum names of a large repository to compare. */
const MOST_LOOKED_AT = 10_000;

/**
 * Finds similar names for patterns that match no file: first the same name in another case or folder, then
 * files with the same extension, then any file.
 */
export function nearMisses(allow: string[] | null) {
  const patterns = allow ?? [];
  const wide = pathFilter(patterns.flatMap(widen), null);
  const endings = new Set(patterns.map(endingOf).filter((ending) => ending !== ''));
  const found: string[][] = [[], [], []];
  let seen = 0;
  const note = (path: string) => {
    if (++seen > MOST_LOOKED_AT) return;
    const rank = wide(path.toLowerCase()) ? 0 : endings.has(endingOf(path)) ? 1 : 2;
    const alike = found[rank];
    if (alike !== undefined && alike.length < MOST_SHOWN) alike.push(path);
  };
  return {
    /** Processes a page without wanted files. After the last such page, throws InvalidInput. */
    see(files: { path: string }[], isLast: boolean): void {
      for (const { path } of files) note(path);
      if (!isLast || patterns.length === 0 || seen === 0) return;
      const names = found.flat().slice(0, MOST_SHOWN);
      const shown = patterns.slice(0, MOST_SHOWN).join(', ').slice(0, 200);
      throw new InvalidInput(
        'dataset_no_match',
        `allowPatterns matches none of the ${seen} files: ${shown}. The repository has: ${names.join(', ')}`,
        { field: 'allowPatterns' },
      );
    },
  };
}

/** Returns wider patterns in lower case: for `data/Train.csv`, also `*train.csv` and `*train*`. */
function widen(pattern: string): string[] {
  const small = pattern
    .toLowerCase()
    .replaceAll('\\', '/')
    .replace(/^\.?\//, '');
  const name = small.split('/').at(-1) ?? '';
  const stem = name.replace(/\.[^.]*$/, '').replaceAll(/[*?[\]]/g, '');
  return [small, `*${name === '' ? small : name}`, ...(stem.length >= 3 ? [`*${stem}*`] : [])];
}

function endingOf(path: string): string {
  return /\.\w+$/.exec(path)?.[0].toLowerCase() ?? '';
}
