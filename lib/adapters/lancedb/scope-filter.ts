import type { SearchScope } from '../../ports/vectors.ts';

/**
 * The character after `/`. The paths in a folder sort between these two characters, and this range is faster
 * than a prefix search.
 */
const AFTER_SLASH = '0';

/** Returns the SQL filter of a scope; undefined if it limits nothing. LanceDB applies it before it ranks. */
export function scopeFilter({ paths, files, extensions }: SearchScope = {}): string | undefined {
  const clauses = [
    paths && inPaths(paths),
    files && inFiles(files),
    extensions && ofTypes(extensions),
  ].filter((clause) => clause !== undefined);
  return clauses.length === 0 ? undefined : clauses.map((clause) => `(${clause})`).join(' AND ');
}

/** Filters by paths in any Unicode form, because a file name has the form that its system stores. */
function inPaths(paths: readonly string[]): string {
  if (paths.length === 0) return 'false';
  const forms = [...new Set(paths.flatMap((path) => [path, path.normalize('NFC'), path.normalize('NFD')]))];
  const below = forms.map(
    (path) => `(path >= ${sqlText(`${path}/`)} AND path < ${sqlText(path + AFTER_SLASH)})`,
  );
  return [inFiles(forms), ...below].join(' OR ');
}

function inFiles(files: readonly string[]): string {
  return files.length === 0 ? 'false' : `path IN (${files.map(sqlText).join(', ')})`;
}

function ofTypes(extensions: readonly string[]): string {
  if (extensions.length === 0) return 'false';
  const known = extensions.filter((extension) => /^[a-z0-9]+$/.test(extension));
  return known.map((extension) => `lower(path) LIKE '%.${extension}'`).join(' OR ') || 'false';
}

/** Quotes text for SQL. Paths enter a filter only through this function. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
