import { readdir, realpath, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createClient } from '../../../cli/client.ts';
import { gitRoutes } from '../../../functions/git/routes.ts';
import { installRuntime } from '../../../infra/local/lambda-runtime.ts';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { UpstreamFailed } from '../../../lib/errors.ts';
import type { GitPorts } from '../../../lib/git/clone.ts';
import { LATE_TIMES } from '../../../lib/http/late-answer.ts';
import { serve } from '../../../lib/http/serve.ts';
import { setLogLevel } from '../../../lib/log.ts';
import { systemClock } from '../../../lib/ports/clock.ts';
import type { Repositories } from '../../../lib/ports/repositories.ts';
import { SECOND_MS, startBehindCloudfront } from '../../support/behind-cloudfront.ts';
import { eventually } from '../../support/sync.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';

setLogLevel('error');
installRuntime();

const late = { afterMs: inTest(LATE_TIMES.afterMs), everyMs: inTest(LATE_TIMES.everyMs) };

let clone: Repositories['clone'];
let url: string;
/** The service itself, without CloudFront. */
let service: string;
let root: string;
/** Sets how a response ends before its result, as if the function was killed. */
let breaks: string | undefined;
beforeEach(() => {
  breaks = undefined;
});

beforeAll(async () => {
  const folder = await tempFolder();
  const database = openDatabase(folder);
  whenDone(async () => database.close());
  root = await realpath(await tempFolder());
  const repositories = {
    clone: (...args: Parameters<typeof clone>) => clone(...args),
  } as Repositories;
  const ports = {
    records: sqliteRecords(database),
    clock: systemClock,
    workspaceRoots: [root],
    repositories,
    touchQueue: { send: async () => {} },
  } as unknown as GitPorts;
  const intercept = async (_: unknown, response: ServerResponse) => {
    if (breaks === undefined) return false;
    response.writeHead(202, { 'content-type': 'application/json' }).write(' ');
    await sleep(SECOND_MS);
    if (breaks === 'cleanly') response.end(' ');
    else response.destroy();
    return true;
  };
  const handler = serve(gitRoutes, ports, { streaming: true, late });
  const started = await startBehindCloudfront('git', handler, { role: 'member', intercept });
  url = started.url;
  service = started.gateway;
  await fetch(`${url}/api/git/status`, { headers }); // the first call takes longer
});

function inTest(milliseconds: number): number {
  return (milliseconds / 1000) * SECOND_MS;
}

function takes(seconds: number, error?: Error): void {
  clone = async (address, folder) => {
    await sleep(seconds * SECOND_MS);
    if (error) throw error;
    await writeFile(join(folder, 'README.md'), '# Owls\n');
    return address;
  };
}

const failed = new UpstreamFailed('git_host_failed', 'The code host is busy.', {
  headers: { 'retry-after': '7' },
});

let number = 0;
const body = () => ({ url: 'https://example.com/owls.git', rootPath: `clone-${++number}` });
const headers = { authorization: 'Bearer t', 'content-type': 'application/json' };

interface Asked {
  what?: ReturnType<typeof body>;
  key?: string;
  signal?: AbortSignal;
  to?: string;
}

function ask({ what = body(), key, signal, to = url }: Asked = {}): Promise<Response> {
  const sent = { ...headers, ...(key && { 'idempotency-key': key }) };
  const init = { method: 'POST', headers: sent, body: JSON.stringify(what), ...(signal && { signal }) };
  return fetch(`${to}/api/git/clone`, init);
}

describe('a clone through CloudFront', () => {
  it('has its real status if it is quick', async () => {
    takes(0);
    const response = await ask();
    expect([response.status, await response.json()]).toEqual([
      201,
      expect.objectContaining({ id: expect.any(String) }),
    ]);
    takes(0, failed);
    const refused = await ask();
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([502, 'git_host_failed']);
    expect(await refused.json()).toEqual({ error: 'The code host is busy.' });
  });

  it.each([40, 70])(
    'of %i s ends with its workspace, after a provisional status without a result',
    async (seconds) => {
      takes(seconds);
      const response = await ask();
      expect(response.status).toBe(202);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'x-request-id': expect.any(String),
      });
      const text = await response.text();
      expect(text).toMatch(/^ +\{/);
      expect(JSON.parse(text)).toMatchObject({ id: expect.any(String), name: `clone-${number}` });
    },
  );

  it('of 70 s that fails ends with the error, and with its real status and code', async () => {
    takes(70, failed);
    const response = await ask();
    expect(response.status).toBe(202);
    expect(await response.json()).toEqual({
      ...{ error: 'The code host is busy.', status: 502, code: 'git_host_failed', retryAfter: 7 },
    });
  });

  it('has its real status when it is requested again with the same key', async () => {
    takes(70);
    const once = { key: 'once', what: body() };
    const first = await ask(once);
    const running = await ask(once);
    expect([running.status, running.headers.get('retry-after')]).toEqual([409, '1']);
    const workspace = await first.json();
    const again = await ask(once);
    expect([first.status, again.status, await again.json()]).toEqual([202, 201, workspace]);
  });

  it.each([10, 40])('completes even if its client leaves after %i s', async (seconds) => {
    takes(50);
    const what = body();
    const signal = AbortSignal.timeout(seconds * SECOND_MS);
    await expect(ask({ what, signal, to: service }).then((response) => response.text())).rejects.toThrow();
    await eventually(
      () => readdir(root),
      (names) => names.includes(what.rootPath),
    );
  });
});

describe('the console', () => {
  let cloneInConsole: () => Promise<unknown>;
  beforeAll(async () => {
    Object.assign(globalThis, {
      sessionStorage: { getItem: () => JSON.stringify({ token: 't', until: Date.now() + 60_000 }) },
      BroadcastChannel: class {
        addEventListener() {}
      },
      // The page's own requests have no origin.
      Request: class extends Request {
        constructor(input: string, init: RequestInit) {
          super(new URL(input, url), init);
        }
      },
    });
    const { api, take } = await import('../../../web/api/client.ts');
    cloneInConsole = () => take(api.POST('/api/git/clone', { body: body() }));
  });

  it('gets the workspace of a slow clone', async () => {
    takes(70);
    expect(await cloneInConsole()).toMatchObject({ id: expect.any(String), name: `clone-${number}` });
  });

  it("gets the error of a slow clone with all the details of a fast clone's error", async () => {
    takes(70, failed);
    await expect(cloneInConsole()).rejects.toMatchObject({
      ...{ message: 'The code host is busy.', status: 502, code: 'git_host_failed', retryAfterMs: 7000 },
    });
  });

  it('does not treat a response that ended before its result as a success', async () => {
    takes(0);
    for (const end of ['cleanly', 'broken off']) {
      breaks = end;
      await expect(cloneInConsole()).rejects.toMatchObject({ status: 0, code: 'answer_lost' });
    }
  });
});

describe('wrs', () => {
  const run = () =>
    createClient({ url, token: 't' }, new AbortController().signal).call((api) =>
      api.POST('/api/git/clone', { body: body() }),
    );

  it('gets the result of a slow clone, either the workspace or the error', async () => {
    takes(70);
    expect(await run()).toMatchObject({ name: `clone-${number}` });
    takes(70, failed);
    await expect(run()).rejects.toMatchObject({
      ...{ message: 'The code host is busy.', status: 502, code: 'git_host_failed' },
    });
  });

  it('reports after a response without a result that the action may still take effect', async () => {
    takes(0);
    for (const end of ['cleanly', 'broken off']) {
      breaks = end;
      await expect(run()).rejects.toThrow('before the result arrived. The action may still take effect');
    }
  });
});
