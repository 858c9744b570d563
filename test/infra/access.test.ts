import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { ROUTE_GROUPS } from '../../infra/openapi.ts';
import type { Route } from '../../lib/http/route.ts';

const project = resolve(import.meta.dirname, '../..');
/** The start of a declaration. All declarations are at the start of a line. */
const DECLARATION = /^(?:export )?(?:async )?(?:function\*?|const|class) (\w+)/;
const COMMENT_OR_IMPORT = /^\s*(?:\/?\*|\/\/|import \{ findWorkspace\b.* \} from )/;

interface Use {
  file: string;
  line: string;
  /** The declaration that contains a position of the file. */
  within: string;
}

/** Returns the places where a function is called or passed on. */
function usesOf(name: string, folder: string): Use[] {
  const files = globSync(`${folder}/**/*.ts`, { cwd: project });
  return files.flatMap((file) => {
    let within = '';
    return readFileSync(join(project, file), 'utf8')
      .split('\n')
      .flatMap((line) => {
        within = DECLARATION.exec(line)?.[1] ?? within;
        const uses = !COMMENT_OR_IMPORT.test(line) && new RegExp(`\\b${name}\\b`).test(line);
        return uses ? [{ file, line: line.trim(), within }] : [];
      });
  });
}

describe('findWorkspace', () => {
  it('is called in lib only by functions that find something for a caller', () => {
    const uses = usesOf('findWorkspace', 'lib');
    expect(uses.map(({ file }) => file)).toContain('lib/http/serve.ts');
    expect(uses.filter(({ within }) => !within.startsWith('find'))).toEqual([]);
  });

  it('is not called by functions of the API or of a queue, because lib/http finds the workspace of a route', () => {
    expect(usesOf('findWorkspace', 'functions')).toEqual([]);
  });
});

describe('findWorkspaceToRemove', () => {
  it('is called only by lib/http, for the route that removes a workspace', () => {
    const uses = usesOf('findWorkspaceToRemove', '{lib,functions}').map(({ within }) => within);
    expect(new Set(uses)).toEqual(new Set(['findNamed', 'findWorkspace', 'findWorkspaceToRemove']));
    const removing = Object.values(ROUTE_GROUPS)
      .flat()
      .filter((route) => (route as Route<unknown>).removesWorkspace);
    expect(removing.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'DELETE /api/workspaces/{workspaceId}',
    ]);
  });
});

describe('readRun', () => {
  it('is called only in lib, while the API uses findRun, which requires the caller', () => {
    expect(usesOf('readRun', 'lib')).not.toEqual([]);
    expect(usesOf('readRun', 'functions')).toEqual([]);
    expect(usesOf('findRun', 'functions')).not.toEqual([]);
  });
});

type AnyRoute = Pick<Route<unknown>, 'method' | 'path' | 'params' | 'query' | 'body' | 'workspace'>;

/** Searches the JSON schema, which includes unions and refinements. */
function namesWorkspace({ path, params, query, body }: AnyRoute): boolean {
  const schemas = [params, query, body].filter((schema) => schema !== undefined);
  const shapes = schemas.map((schema) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  const isOther = path === SEVERAL || (body !== undefined && path.startsWith(OPENAI));
  return isOther || JSON.stringify(shapes).includes('"workspaceId":');
}

/** The path that names only several workspaces. */
const SEVERAL = '/api/search';
/** Paths whose requests name a workspace as their model. */
const OPENAI = '/api/openai/v1/';

const routes = Object.values(ROUTE_GROUPS).flat() as AnyRoute[];

describe('route that names a workspace', () => {
  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'gets the workspace from lib/http, unlike other routes: %s',
    (_name, route) => {
      expect(route.workspace !== undefined).toBe(namesWorkspace(route));
    },
  );
});

describe('audit log', () => {
  const all = Object.values(ROUTE_GROUPS).flat() as Route<unknown>[];
  const change = all.filter(
    ({ method, access }) => method === 'DELETE' || (method !== 'GET' && access === 'admin'),
  );

  it("is written by each route that removes something or changes an administrator's resource", () => {
    const silent = change
      .filter(({ audit }) => audit === undefined)
      .map(({ method, path }) => `${method} ${path}`);
    expect(silent).toEqual([
      'DELETE /api/agent/runs/{runId}/messages/{messageId}', // no model has read it
      'DELETE /api/datasets/{datasetId}/workspaces', // a link: its target stays
      'DELETE /api/memories/{memoryId}', // its rule writes it, for all entry points
      'PATCH /api/tokens/{tokenId}', // its rule writes it, with the values before and after
    ]);
  });

  it('is written when members change rules and servers, but not by routes that only read', () => {
    const others = all.filter((route) => route.audit !== undefined && !change.includes(route));
    expect(others.map(({ audit }) => audit).sort()).toEqual([
      'documents.correct',
      'feedback.export',
      'git.discard',
      'git.push',
      'mcp-servers.add',
      'people.export',
      'permissions.change',
      'runs.undo',
      'sources.change',
      'sources.create',
      'terminal.open',
      'workspaces.rename',
    ]);
  });
});
