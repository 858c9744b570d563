export interface PathMatch {
  /** The path as in the table: `/api/notes/{noteId}`. */
  path: string;
  /** The parameter values as in the URL. */
  parameters: Record<string, string>;
}

/**
 * Matches a path like API Gateway: a fixed segment takes precedence over a parameter, and both take
 * precedence over a catch-all (`{proxy+}`).
 */
export function pathTable(paths: string[]) {
  const fixed = new Set(paths.filter((path) => !path.includes('{')));
  const open = paths.filter((path) => !fixed.has(path)).sort(byPrecedence);
  const patterns = open.map((path) => ({ path, pattern: patternOf(path) }));
  return (asked: string): PathMatch | undefined => {
    if (fixed.has(asked)) return { path: asked, parameters: {} };
    for (const { path, pattern } of patterns) {
      const groups = pattern.exec(asked)?.groups;
      if (groups !== undefined) return { path, parameters: { ...groups } };
    }
    return undefined;
  };
}

function byPrecedence(a: string, b: string): number {
  const [first, second] = [rankOf(a), rankOf(b)];
  return first < second ? -1 : Number(first > second);
}

/** Returns one digit per segment: 010 for `/api/{id}/x`. */
function rankOf(path: string): string {
  const segments = path.slice(1).split('/');
  return segments.map((segment) => (segment.endsWith('+}') ? 2 : Number(segment.startsWith('{')))).join('');
}

function patternOf(path: string): RegExp {
  const source = path.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return new RegExp(`^${source.replace(/\{(\w+)\+\}$/, '(?<$1>.+)')}$`);
}
