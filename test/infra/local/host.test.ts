import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { runProgram } from '../../support/processes/run-program.ts';
import { type Service, startService } from '../../support/service.ts';
import { eventually } from '../../support/sync.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const START = resolve(import.meta.dirname, '../../../infra/local/start.ts');

async function startFailing(env: Record<string, string>) {
  const cwd = await tempFolder();
  return runProgram(process.execPath, [START], {
    cwd,
    env: { PATH: process.env.PATH, DATA_DIR: join(cwd, 'data'), ...env },
  });
}

async function uploadEnded(service: Service, uploadId: string): Promise<string> {
  for (let turn = 0; turn < 1000; turn++) {
    const { body } = await service.call<{ status: string }>('GET', `/api/files/uploads/${uploadId}`);
    if (body.status === 'done' || body.status === 'failed') return body.status;
    await sleep(50);
  }
  return 'never';
}

describe('local host', () => {
  it('prints its URL and settings, and exits with 0 on SIGTERM', async () => {
    const service = await startService();
    expect((await service.call('GET', '/api/health')).status).toBe(200);
    expect(service.output()).toContain(`data        ${service.dataDir}`);
    expect(await service.stop()).toBe(0);
    await expect(service.call('GET', '/api/health')).rejects.toThrow(/ECONNREFUSED|socket hang up/);
  });

  it('finishes a request in progress on a stop signal', async () => {
    const service = await startService();
    const { id } = await makeWorkspace(service);
    const body = JSON.stringify({ workspaceId: id, path: 'last.txt', content: 'x'.repeat(100_000) });
    const { promise: begun, resolve: begin } = Promise.withResolvers<() => void>();
    const answered = new Promise((done, failed) => {
      const headers = {
        'content-type': 'application/json',
        'content-length': String(body.length),
        expect: '100-continue',
      };
      const outgoing = request(`${service.url}/api/files/write`, { method: 'POST', headers }, (answer) => {
        answer.resume();
        done(answer.statusCode);
      });
      outgoing.on('error', failed);
      outgoing.on('continue', () => begin(() => outgoing.end(body.slice(1000))));
      outgoing.write(body.slice(0, 1000));
    });
    const goOn = await begun;
    const stopped = service.stop();
    await eventually(
      () => service.call('GET', '/api/health').catch(() => 'refused'),
      (answer) => answer === 'refused',
    );
    goOn();
    expect(await answered).toBe(200);
    expect(await stopped).toBe(0);
  });

  it('loses no acknowledged write when it is killed repeatedly', async () => {
    const dataDir = join(await tempFolder(), 'data');
    const written: Record<string, string> = {};
    let id: string | undefined;
    for (let round = 0; round < 3; round++) {
      const service = await startService({ DATA_DIR: dataDir });
      id ??= (await makeWorkspace(service, 'kept')).id;
      const write = async (path: string) => {
        const content = randomBytes(2000).toString('hex');
        const { status } = await service.call('POST', '/api/files/write', { workspaceId: id, path, content });
        if (status === 200) written[path] = content;
      };
      const writing = Array.from({ length: 40 }, (_, index) =>
        write(`round-${round}/${index}.txt`).catch(() => {}),
      );
      await sleep(30 * round);
      await Promise.race(writing);
      await service.kill();
      await Promise.all(writing);
    }
    const service = await startService({ DATA_DIR: dataDir });
    expect(Object.keys(written).length).toBeGreaterThan(2);
    expect((await service.call<unknown[]>('GET', '/api/workspaces')).body).toHaveLength(1);
    for (const [path, content] of Object.entries(written)) {
      const { body } = await service.call<{ content: string }>(
        'GET',
        `/api/files/read?workspaceId=${id}&path=${path}`,
      );
      expect(body.content).toBe(content);
    }
  });

  it('finishes an upload after a kill if all its bytes had arrived', async () => {
    const dataDir = join(await tempFolder(), 'data');
    const first = await startService({ DATA_DIR: dataDir });
    const { id, root } = await makeWorkspace(first);
    const bytes = randomBytes(3_000_000);
    const started = await first.call<{ uploadId: string; url: string; headers: Record<string, string> }>(
      'POST',
      '/api/files/uploads',
      { workspaceId: id, path: 'large.bin', size: bytes.length },
    );
    const { uploadId, url, headers } = started.body;
    expect((await first.call('PUT', url.slice(first.url.length), bytes, headers)).status).toBe(200);
    await first.kill();
    const second = await startService({ DATA_DIR: dataDir });
    expect(await uploadEnded(second, uploadId)).toBe('done');
    expect((await readFile(join(root, 'large.bin'))).equals(bytes)).toBe(true);
  });

  it.each([
    ['a wrong setting', { PORT: 'many' }, 'PORT'],
    ['a public address without access control', { HOST: '0.0.0.0', AUTH_MODE: 'disabled' }, 'AUTH_MODE'],
  ])('rejects %s in one sentence', async (_what, env, named) => {
    const { code, stdout, stderr } = await startFailing(env);
    expect(code).toBe(1);
    expect(stderr).toContain(named);
    expect(stdout + stderr).not.toMatch(/^\s+at /m);
  });

  it('reports that its port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((done) => taken.once('listening', done));
    const { port } = taken.address() as AddressInfo;
    const { code, stderr } = await startFailing({ PORT: String(port) });
    taken.close();
    expect([code, stderr.trim()]).toEqual([1, `PORT: ${port} is in use. Set another port.`]);
  });

  const place = async (...names: string[]) => join(await tempFolder(), ...names);
  const asFile = async () => {
    const file = await place('file');
    await writeFile(file, '');
    return file;
  };
  it.each<[string, () => Promise<Record<string, string>>, RegExp]>([
    [
      'a data folder that is a file',
      async () => ({ DATA_DIR: await asFile() }),
      /^DATA_DIR: \S+ isn't a folder/,
    ],
    ['a data folder in /proc', async () => ({ DATA_DIR: '/proc/x' }), /^DATA_DIR: \/proc\/x can't be/],
    [
      'a root that is a file',
      async () => ({ WORKSPACE_ROOTS: await asFile() }),
      /^WORKSPACE_ROOTS: \S+ is a file/,
    ],
    [
      "a root in the service's own code",
      async () => ({ WORKSPACE_ROOTS: resolve(import.meta.dirname, 'x') }),
      /^WORKSPACE_ROOTS: \S+ is in the service's own code/,
    ],
    [
      'a data folder of a newer release',
      async () => {
        const DATA_DIR = await place('data');
        openDatabase(DATA_DIR).close();
        const file = new DatabaseSync(join(DATA_DIR, 'service.sqlite'));
        file.exec('PRAGMA user_version = 99');
        file.close();
        return { DATA_DIR };
      },
      /^The data folder was written by a newer release \(format 99/,
    ],
  ])('rejects %s in one line', async (_what, env, words) => {
    const { code, stderr } = await startFailing(await env());
    expect([code, stderr.trim().split('\n').length]).toEqual([1, 1]);
    expect(stderr).toMatch(words);
  });

  it('rejects a data folder that another service uses, and accepts it after that service is killed', async () => {
    const first = await startService();
    const env = { DATA_DIR: first.dataDir, PORT: '0' };
    const { code, stderr } = await startFailing(env);
    expect([code, stderr.trim()]).toEqual([
      1,
      `DATA_DIR: the service at ${first.url} (process ${first.pid}) already uses ${first.dataDir}. Stop it, or set another DATA_DIR.`,
    ]);
    const beside = await startService({ ...env, DATA_DIR_SHARED: 'true' });
    await beside.stop();
    await first.kill();
    const next = await startService(env);
    expect((await next.call('GET', '/api/health')).status).toBe(200);
  });
});
