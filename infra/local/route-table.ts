import type { RouteDefinition } from './service-file.ts';

export interface RouteMatch {
  route: RouteDefinition;
  /** Null when the resource has no parameters, as in the event. */
  pathParameters: Record<string, string> | null;
}

/** Finds routes as API Gateway does: a fixed segment beats a parameter. */
export function routeTable(routes: RouteDefinition[]) {
  const fixed = new Map(
    routes.filter(({ resource }) => !resource.includes('{')).map((route) => [route.resource, route]),
  );
  const open = routes.filter(({ resource }) => resource.includes('{')).map(withPattern);
  return (path: string): RouteMatch | undefined => {
    const route = fixed.get(path);
    if (route !== undefined) return { route, pathParameters: null };
    for (const candidate of open) {
      const groups = candidate.pattern.exec(path)?.groups;
      if (groups !== undefined) return { route: candidate.route, pathParameters: decodeAll(groups) };
    }
    return undefined;
  };
}

function withPattern(route: RouteDefinition): { route: RouteDefinition; pattern: RegExp } {
  const source = route.resource.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return { route, pattern: new RegExp(`^${source}$`) };
}

function decodeAll(groups: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decode(value)]));
}

/** Broken percent-encodings stay as they came. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
