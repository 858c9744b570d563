import { describe, expect, it } from '@jest/globals';
import { pathTable } from '../../../lib/http/path-table.ts';

const match = pathTable([
  '/api/files/{proxy+}',
  '/api/files/raw',
  '/api/runs/{runId}/{proxy+}',
  '/api/runs/{runId}/stream',
  '/api/runs/{runId}',
  '/api/openapi.json',
]);

describe('pathTable', () => {
  it.each([
    ['a fixed path before a greedy one', '/api/files/raw', '/api/files/raw', {}],
    ['a greedy path, with its slashes', '/api/files/up/1', '/api/files/{proxy+}', { proxy: 'up/1' }],
    ['a parameter', '/api/runs/7', '/api/runs/{runId}', { runId: '7' }],
    ['a fixed segment after a parameter', '/api/runs/7/stream', '/api/runs/{runId}/stream', { runId: '7' }],
    ['any other segment', '/api/runs/7/a/b', '/api/runs/{runId}/{proxy+}', { runId: '7', proxy: 'a/b' }],
    ['an encoded path, unchanged', '/api/runs/a%2Fb', '/api/runs/{runId}', { runId: 'a%2Fb' }],
  ])('finds %s', (_what, asked, path, parameters) => {
    expect(match(asked)).toEqual({ path, parameters });
  });

  it.each(['/api', '/api/files', '/api/files/', '/api/runs/', '/api/openapiXjson', '/other/api/files/raw'])(
    'finds nothing for %s',
    (asked) => {
      expect(match(asked)).toBeUndefined();
    },
  );
});
