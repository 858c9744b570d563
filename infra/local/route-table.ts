import { pathTable } from '../../lib/http/path-table.ts';
import type { RouteDefinition } from './service-file.ts';

export interface RouteMatch {
  route: RouteDefinition;
  /** Null if the resource has no parameters, as in the event. */
  pathParameters: Record<string, string> | null;
}

/** Finds routes as API Gateway does, and decodes their parameters. */
export function routeTable(routes: RouteDefinition[]) {
  const byResource = new Map(routes.map((route) => [route.resource, route]));
  const match = pathTable([...byResource.keys()]);
  return (path: string): RouteMatch | undefined => {
    const found = match(path);
    const route = byResource.get(found?.path ?? '');
    if (found === undefined || route === undefined) return undefined;
    return { route, pathParameters: route.resource.includes('{') ? decodeAll(found.parameters) : null };
  };
}

function decodeAll(groups: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decode(value)]));
}

/** Leaves broken percent-encodings unchanged. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
