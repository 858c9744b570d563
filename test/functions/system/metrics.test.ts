import { describe, expect, it } from '@jest/globals';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import { systemClock } from '../../../lib/ports/clock.ts';
import { createToken } from '../../../lib/tokens/tokens.ts';
import { startService } from '../../support/service.ts';
import { createWorkspace, eventually } from '../../support/sync.ts';
import { ADMIN } from '../../support/tasks.ts';
import { whenDone } from '../../support/temp-folder.ts';

const service = await startService({ AUTH_MODE: 'token' });
const database = openDatabase(service.dataDir);
whenDone(async () => database.close());
const ports = { records: sqliteRecords(database), clock: systemClock };

async function bearer(role: 'monitor' | 'admin') {
  const { secret } = await createToken(ports, ADMIN, { name: role, role });
  return { authorization: `Bearer ${secret}` };
}
const [monitor, admin] = await Promise.all([bearer('monitor'), bearer('admin')]);

async function read(series: string): Promise<number> {
  const { body } = await service.call<string>('GET', '/api/metrics', undefined, monitor);
  const line = body.split('\n').find((each) => each.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1));
}

const logLines = (event: string) =>
  service
    .output()
    .split('\n')
    .filter((line) => line.includes(`"event":"${event}"`))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('GET /api/metrics', () => {
  it("returns Prometheus's text format", async () => {
    const { status, headers, body } = await service.call<string>('GET', '/api/metrics', undefined, monitor);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(body).toMatch(/^# HELP wrs_info .+\n# TYPE wrs_info gauge\nwrs_info\{version="[^"]+"\} 1\n/);
    for (const line of body.trimEnd().split('\n'))
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [\d.e+-]+)$/);
  });

  it('counts a refused credential, whose log line has the address and the reason', async () => {
    const stranger = { authorization: `Bearer wrs_${'A'.repeat(43)}` };
    for (let n = 0; n < 3; n++)
      expect((await service.call('GET', '/api/me', undefined, stranger)).status).toBe(401);
    expect(await read('wrs_events_total{event="credential_refused"}')).toBe(3);
    expect(logLines('credential_refused')).toMatchObject([
      { level: 'warn', address: '127.0.0.1', reason: 'unknown', path: '/api/me' },
    ]);
  });

  it('counts a task that fails in a worker thread, whose log line is an error', async () => {
    const call = (method: string, path: string, body: unknown) => service.call(method, path, body, admin);
    const workspaceId = await createWorkspace({ call: call as typeof service.call }, 'tasks');
    const task = { name: 'Pull', taskType: 'git_sync', schedule: '0 3 * * *', workspaceId };
    const { body } = await call('POST', '/api/scheduled-tasks', task);
    const { id } = body as { id: string };
    await call('POST', `/api/scheduled-tasks/${id}/run`, {});
    await eventually(
      () => read('wrs_events_total{event="task_failed"}'),
      (count) => count === 1,
    );
    expect(logLines('task_failed')).toMatchObject([{ level: 'error', taskId: id, workspaceId }]);
  });

  it('measures queues, descriptors, and the disk', async () => {
    expect(await read('wrs_queue_waiting{queue="index"}')).toBe(0);
    expect(await read('wrs_dead_letters{queue="index-dead-letters"}')).toBe(0);
    expect(await read('process_open_fds')).toBeGreaterThan(10);
    expect(await read(`wrs_disk_free_bytes{folder="${service.dataDir}"}`)).toBeGreaterThan(0);
  });
});
