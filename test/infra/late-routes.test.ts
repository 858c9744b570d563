import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { routeTable } from '../../infra/local/route-table.ts';
import { type CloudFormationResource, readServiceFile } from '../../infra/local/service-file.ts';
import { ROUTE_GROUPS } from '../../infra/openapi.ts';
import { readLateError } from '../../lib/api-contract/late-answer.ts';
import { HEARTBEAT_MS } from '../../lib/http/event-stream.ts';
import { LATE_TIMES } from '../../lib/http/late-answer.ts';
import type { Route } from '../../lib/http/route.ts';
import { sendsEvents } from '../../lib/http/route-errors.ts';

const { routes, functions, resources } = readServiceFile(
  join(resolve(import.meta.dirname, '../..'), 'serverless.yml'),
);
const match = routeTable(routes);
// biome-ignore lint/suspicious/noExplicitAny: no handler is called here
const all = Object.values(ROUTE_GROUPS).flat() as Route<any>[];

const { Origins } = (resources.ConsoleDistribution as CloudFormationResource).Properties.DistributionConfig;
const api = Origins.find(({ Id }: { Id: string }) => Id === 'api');
const SILENCE_MS = api.CustomOriginConfig.OriginReadTimeout * 1000;
const authorizer = functions.find(({ name }) => name === 'authorizer');
const AUTHORIZER_MS = (authorizer?.timeoutSeconds ?? 0) * 1000;
/**
 * Milliseconds. A response within this time reaches the caller through CloudFront, even if the authorizer
 * uses all of its own time.
 */
const IN_TIME_MS = SILENCE_MS - AUTHORIZER_MS;
/** Minimum time that CloudFront and API Gateway themselves may take. */
const ON_THE_WAY_MS = 5_000;
/** Time of a cold start before the handler's limit counts. */
const COLD_START_MS = 10_000;

/** Routes with a longer limit whose responses start in time, each with the reason. */
const STARTS_IN_TIME: Record<string, string> = {
  citeDocuments:
    'reads records, and at most 20 bibliographies; it has the limit of savePaper, in the same function',
  listBibliography: 'reads a page of records; it has the limit of savePaper, in the same function',
  listPapers: 'reads at most 2,000 small files; it has the limit of savePaper, which has the same path',
  listCommits: 'reads one page of commits; it has the limit of the other paths below it',
  downloadFile: 'its first byte follows the opening of the file',
  streamAnswer: 'a stream with heartbeats',
  runAgent: 'a stream with heartbeats',
  streamRun: 'a stream with heartbeats',
  streamConversationRun: 'a stream with heartbeats',
  streamConversation: 'a stream with heartbeats',
  createChatCompletion: 'a stream with heartbeats, or JSON after spaces: test/lib/http/whole-answer.test.ts',
  createOpenaiResponse: 'a stream with heartbeats, or JSON after spaces: test/lib/http/whole-answer.test.ts',
  listOpenaiModels: 'reads one page of workspaces; it has the limit of the other paths below it',
  streamTerminal: 'a stream with heartbeats',
  sendMcpMessage: 'a stream with comments: test/functions/mcp/silent-calls.test.ts',
};

const limitOf = ({ path }: { path: string }) => match(path)?.route.timeoutMs ?? 0;
const isJson = ({ replies }: { replies: object }) =>
  Object.values(replies).every((reply) => reply instanceof z.ZodType);
const late = all.filter(({ mayBeLate }) => mayBeLate);
const lateJson = late.filter((route) => !sendsEvents(route));

describe('route with a longer limit than CloudFront', () => {
  it('starts its response in time, as a late answer or because the test lists it', () => {
    const long = all.filter((route) => limitOf(route) > IN_TIME_MS - ON_THE_WAY_MS && !route.mayBeLate);
    expect(long.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(STARTS_IN_TIME).sort());
  });

  it('belongs to a streaming function, because API Gateway would otherwise wait for its whole response', () => {
    expect(late.filter(({ path }) => match(path)?.route.streaming !== true)).toEqual([]);
    expect(late.length).toBeGreaterThanOrEqual(12);
  });

  it('starts a late answer early enough for a cold start before it, and is never silent for long', () => {
    expect(LATE_TIMES.afterMs).toBeLessThanOrEqual(IN_TIME_MS - COLD_START_MS);
    expect(LATE_TIMES.everyMs).toBe(HEARTBEAT_MS);
    expect(LATE_TIMES.everyMs).toBeLessThanOrEqual(SILENCE_MS / 4);
  });
});

describe('late answer', () => {
  it('loses only its status, because the route sends JSON without custom headers, and never 202', () => {
    const losing = lateJson.filter(
      (route) =>
        !isJson(route) ||
        route.replyHeaders !== undefined ||
        route.takesMatch ||
        202 in route.replies ||
        (route.query && 'cursor' in route.query.shape),
    );
    expect(losing).toEqual([]);
  });

  it('has a form for errors that differs from every result of its route', () => {
    const error = { error: 'It failed.', status: 502, code: 'upstream_failed' };
    expect(readLateError(error)).toEqual(error);
    const schemas = lateJson.flatMap(({ replies }) => Object.values(replies)) as z.ZodType[];
    expect(schemas.filter((schema) => schema.safeParse(error).success)).toEqual([]);
    const fields = schemas.flatMap((schema) => Object.keys((schema as z.ZodObject).shape));
    expect(fields.filter((name) => ['error', 'code'].includes(name))).toEqual([]);
  });
});
