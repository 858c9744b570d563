import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Conflict, InvalidInput } from '../../../lib/errors.ts';
import { runIsolated } from '../../../lib/isolation/run-isolated.ts';
import { runExhausted } from '../../support/processes/run-exhausted.ts';
import { eventually } from '../../support/sync.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const { program } = await import('../../support/processes/hostile-program.ts');
const folder = await tempFolder();
const SUPPORT = resolve(import.meta.dirname, '../../support');
const OPTIONS = { timeoutMs: 30_000 };

const pid = () => runIsolated(program, 'pid', undefined, OPTIONS);

async function hasEnded(id: number): Promise<void> {
  const status = () => readFile(`/proc/${id}/status`, 'utf8').catch(() => 'State: X');
  await eventually(status, (text) => /^State:\s+[ZX]/m.test(text));
}

describe('isolated task', () => {
  it('returns its input of values, bytes, and sets', async () => {
    const value = {
      text: 'é\ud83d\ude00',
      bytes: new Uint8Array([1, 2]),
      set: new Set([1]),
      numbers: Uint32Array.of(7),
    };
    expect(await runIsolated(program, 'echo', value, OPTIONS)).toEqual(value);
  });

  it('runs in one process after another, and in a warm process if available', async () => {
    expect(await pid()).toBe(await pid());
    expect(await pid()).not.toBe(process.pid);
  });

  it("reads the file that was opened for it, and nothing after the file's end", async () => {
    const path = join(folder, 'file.txt');
    await writeFile(path, 'begin … end');
    const handle = await open(path);
    const { size } = await handle.stat();
    const file = { handle, size };
    expect(await runIsolated(program, 'readTwice', undefined, { ...OPTIONS, file })).toBe('begin\ufffd end');
    await expect(runIsolated(program, 'readTooMuch', undefined, { ...OPTIONS, file })).rejects.toThrow(
      'was not given',
    );
    await handle.close();
  });

  it('throws its own errors', async () => {
    const refused = runIsolated(program, 'refuse', undefined, OPTIONS);
    await expect(refused).rejects.toThrow(new Conflict('conflict', 'not today'));
    await expect(refused).rejects.toBeInstanceOf(Conflict);
  });

  it.each([
    ['fail', /a fault of ours/],
    ['unanswerable', /its reader stopped/],
    ['leave', /its reader stopped/],
  ] as const)(
    'is reported if it ends with "%s", and the next task gets another process',
    async (task, told) => {
      const before = await pid();
      await expect(runIsolated(program, task, undefined, OPTIONS)).rejects.toThrow(told);
      expect(await pid()).not.toBe(before);
    },
  );
});

describe('harmful isolated task', () => {
  it.each(['growHeap', 'growBuffers', 'crash'] as const)('ends with its process: %s', async (task) => {
    const before = await pid();
    await expect(runIsolated(program, task, undefined, OPTIONS)).rejects.toThrow(
      new InvalidInput('invalid_value', 'Reading the file takes more than 640 MB of memory.'),
    );
    await hasEnded(before);
  });

  it('is killed at its timeout', async () => {
    const before = await pid();
    const endless = runIsolated(program, 'loop', undefined, { timeoutMs: 1000 });
    await expect(endless).rejects.toThrow(
      new InvalidInput('invalid_value', 'Reading the file takes more than 1 seconds.'),
    );
    await hasEnded(before);
  });

  it('gets more wall-clock time while it has little processor time, but not while it hangs', async () => {
    const doze = (busyMs: number, times: number, loadedMs?: number) =>
      runIsolated(program, 'doze', { busyMs, times }, { timeoutMs: 600, ...(loadedMs && { loadedMs }) });
    expect(await doze(20, 20, 30_000)).toBe('done');
    await expect(doze(20, 20)).rejects.toThrow('more than');
    await expect(doze(0, 1000, 30_000)).rejects.toThrow('more than');
    await expect(doze(1000, 30, 30_000)).rejects.toThrow('more than');
    await expect(doze(20, 1000, 2000)).rejects.toThrow('more than');
  });

  it('is killed when its caller stops waiting', async () => {
    const stop = new AbortController();
    const before = await pid();
    const read = async () => {
      stop.abort(new Error('the caller left'));
      return { bytesRead: 1 };
    };
    const file = { handle: { read } as unknown as FileHandle, size: 1 };
    const endless = runIsolated(program, 'readThenLoop', undefined, {
      ...OPTIONS,
      file,
      signal: stop.signal,
    });
    await expect(endless).rejects.toThrow('the caller left');
    await hasEnded(before);
  });

  it('returns no more than its limit, which is checked before it is stored', async () => {
    const options = { ...OPTIONS, maxOutputBytes: 1024 * 1024 };
    expect(await runIsolated(program, 'answer', 1000, options)).toHaveLength(1000);
    const much = runIsolated(program, 'answer', 2 * 1024 * 1024, options);
    await expect(much).rejects.toThrow(
      new InvalidInput('invalid_value', 'The file unpacks to more than can be read.'),
    );
  });

  it('waits for its turn, or leaves the queue when its caller does', async () => {
    const stop = new AbortController();
    const loops = [1, 2].map(() => runIsolated(program, 'loop', undefined, { timeoutMs: 1500 }));
    const leaving = runIsolated(program, 'pid', undefined, { ...OPTIONS, signal: stop.signal });
    const waiting = pid();
    stop.abort(new Error('the caller left'));
    await expect(leaving).rejects.toThrow('the caller left');
    await Promise.all(loops.map((loop) => expect(loop).rejects.toThrow('seconds')));
    expect(await waiting).toEqual(expect.any(Number));
  });

  it('gets the turn that several tasks before it gave up', async () => {
    const loops = [1, 2].map(() => runIsolated(program, 'loop', undefined, { timeoutMs: 1500 }));
    const staying = [pid(), pid()];
    const stops = [new AbortController(), new AbortController()];
    const leaving = stops.map(({ signal }) => runIsolated(program, 'pid', undefined, { ...OPTIONS, signal }));
    await setImmediate();
    for (const [index, stop] of [...stops.entries()].reverse()) {
      stop.abort(new Error('the caller left'));
      await expect(leaving[index]).rejects.toThrow('the caller left');
    }
    await Promise.all(loops.map((loop) => expect(loop).rejects.toThrow('seconds')));
    expect(await Promise.all(staying)).toEqual([expect.any(Number), expect.any(Number)]);
  });

  it("gets its turn before the rest of another caller's waiting tasks", async () => {
    const loops = Array.from({ length: 8 }, () =>
      runIsolated(program, 'loop', undefined, { timeoutMs: 1000, whose: 'one' }).catch(() => 'killed'),
    );
    const last = Promise.all(loops).then(() => 'the loops');
    const other = runIsolated(program, 'echo', 'another', { ...OPTIONS, whose: 'another' });
    const secondTurn = Promise.all(loops.slice(0, 5)).then(() => 'two rounds of loops');
    expect(await Promise.race([other, secondTurn])).toBe('another');
    expect(await last).toBe('the loops');
  });

  it("gets a turn after processes that couldn't be started", async () => {
    const nowhere = { ...program, url: `${program.url}%00`, bounds: { ...program.bounds } };
    const tries = [1, 2, 3].map(() => runIsolated(nowhere, 'pid', undefined, OPTIONS));
    for (const one of await Promise.allSettled(tries)) expect(one.status).toBe('rejected');
  });
});

describe('idle process', () => {
  it('is replaced if it was killed unnoticed', async () => {
    const before = await pid();
    process.kill(before, 'SIGKILL');
    expect(await pid()).not.toBe(before);
  });
});

describe('task that requests more chunks than it consumes', () => {
  it('gets each chunk in order, and only one is buffered at a time', async () => {
    let held = 0;
    let most = 0;
    const read = async (bytes: Uint8Array, _offset: number, _length: number, position: number) => {
      most = Math.max(most, ++held);
      await setTimeout(50 - position * 10);
      bytes[0] = position;
      held -= 1;
      return { bytesRead: 1 };
    };
    const file = { handle: { read } as unknown as FileHandle, size: 5 };
    const pieces = await runIsolated(program, 'readAtOnce', 5, { ...OPTIONS, file });
    expect(pieces).toEqual([0, 1, 2, 3, 4]);
    expect(most).toBe(1);
  });
});

describe('isolated process', () => {
  it('ends with a killed service in any state', async () => {
    const service = spawn(process.execPath, [join(SUPPORT, 'processes/isolating-process.ts')], {
      stdio: 'pipe',
    });
    const [line] = await once(service.stdout, 'data');
    service.kill('SIGKILL');
    await hasEnded(Number(String(line)));
  });
});

describe("isolated task's environment", () => {
  it('has no variable of the service', async () => {
    process.env.PLANTED_SECRET = 'planted';
    const environment = await runIsolated(program, 'environment', undefined, OPTIONS);
    delete process.env.PLANTED_SECRET;
    const harmless = ['LD_LIBRARY_PATH', 'PWD', 'SHLVL', '_'];
    expect(Object.keys(environment).filter((name) => !harmless.includes(name))).toEqual([]);
  });

  it.each(['/etc/passwd', '/proc/self/environ', join(folder, 'secret')])('excludes %s', async (path) => {
    await writeFile(join(folder, 'secret'), 'x');
    await expect(runIsolated(program, 'readSecret', path, OPTIONS)).rejects.toThrow('has been restricted');
  });

  it('has no network', async () => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    await expect(runIsolated(program, 'reach', port, OPTIONS)).rejects.toThrow('ENETUNREACH');
    server.close();
  });

  it('has no writable file, and no program to start', async () => {
    await expect(runIsolated(program, 'write', join(folder, 'new'), OPTIONS)).rejects.toThrow(
      'has been restricted',
    );
    await expect(runIsolated(program, 'start', undefined, OPTIONS)).rejects.toThrow('has been restricted');
  });
});

describe('host without a free file descriptor', () => {
  it('rejects tasks, keeps the service and its turns, and works again afterwards', async () => {
    const { stdout, stderr } = await runExhausted('isolated');
    expect([stdout, stderr]).toEqual(['rejected rejected rejected fulfilled', '']);
  });
});
