import { realpath } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Caller } from '../../../lib/access/caller.ts';
import { openDatabase } from '../../../lib/adapters/sqlite/database.ts';
import { createQueues, sqliteQueue } from '../../../lib/adapters/sqlite/queue.ts';
import { sqliteRecords } from '../../../lib/adapters/sqlite/records.ts';
import type { StreamPart } from '../../../lib/api-contract/stream-part.ts';
import { newId } from '../../../lib/identifiers.ts';
import type { TerminalListener, Terminals } from '../../../lib/ports/terminals.ts';
import { followSession, resumePoint } from '../../../lib/terminal/follow-session.ts';
import {
  closeSession,
  endOverdue,
  findSession,
  openSession,
  type SessionPorts,
  sessionStore,
} from '../../../lib/terminal/sessions.ts';
import { workspaces } from '../../../lib/workspaces/schema.ts';
import { tempFolder, whenDone } from '../../support/temp-folder.ts';

const MEMBER: Caller = { id: 'one', role: 'member', workspaceIds: null };
const OTHER: Caller = { id: 'another', role: 'admin', workspaceIds: null };
const SIZE = { columns: 80, rows: 24 };

let rig: Awaited<ReturnType<typeof startRig>>;
beforeEach(async () => {
  rig = await startRig();
});

/** Starts sessions with terminals that the test controls, and a clock that only the test sets. */
async function startRig() {
  const database = openDatabase(await tempFolder());
  whenDone(async () => database.close());
  createQueues(database, [{ name: 'touch', fifo: false, visibilityTimeoutSeconds: 60 }]);
  const time = { now: Date.now() };
  const clock = { now: () => time.now };
  const played: { listener: TerminalListener; read: number }[] = [];
  const terminals: Terminals = {
    async open(_start, listener) {
      const one = { listener, read: 0 };
      played.push(one);
      const end = () => listener.onEnd(137);
      const read = (characters: number) => {
        one.read += characters;
      };
      return { write: () => {}, resize: () => {}, signal: () => {}, read, end };
    },
  };
  const root = await realpath(await tempFolder());
  const workspace = { id: newId(), name: 'w', rootPath: root, createdAt: new Date(time.now).toISOString() };
  const records = sqliteRecords(database, clock);
  await workspaces.create(records, workspace);
  const ports: SessionPorts = {
    ...{ records, clock, touchQueue: sqliteQueue(database, 'touch'), terminals, workspaceRoots: [root] },
    commandsFor: () => ({ run: () => Promise.reject(new Error('not here')) }),
    sessions: sessionStore({ perPerson: 2, inAll: 3 }),
  };
  const open = (caller = MEMBER) =>
    openSession(ports, caller, workspace, { ...SIZE, workspaceId: workspace.id });
  return { ports, workspace, time, played, open };
}

/** Reads the output that is already there. */
async function readNow(id: string, after = 0): Promise<{ parts: StreamPart[]; from: number }> {
  const session = await findSession(rig.ports, MEMBER, id);
  const leaving = new AbortController();
  const from = resumePoint(session, after);
  const options = { after: from, signal: leaving.signal, timeLeftMs: 60_000 };
  const parts: StreamPart[] = [];
  setTimeout(() => leaving.abort(), 20);
  try {
    for await (const part of followSession(rig.ports.clock, session, options)) parts.push(part);
  } catch {
    // cut, because the reader left
  }
  return { parts, from };
}

const textOf = (parts: StreamPart[]) =>
  parts.map((part) => ('data' in part ? ((part.data as { text?: string }).text ?? '') : '')).join('');

describe('openSession', () => {
  it('limits the terminals of a person and of the service, even if they are opened at the same time', async () => {
    const opened = await Promise.allSettled([rig.open(), rig.open(), rig.open()]);
    expect(opened.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    await rig.open(OTHER);
    await expect(rig.open(OTHER)).rejects.toMatchObject({ code: 'too_many_terminals' });
  });

  it("does not count a terminal that couldn't be started", async () => {
    rig.ports.terminals = { open: () => Promise.reject(new Error('no')) };
    for (let round = 0; round < 5; round++) await expect(rig.open()).rejects.toThrow('no');
    expect(rig.ports.sessions.all.size).toBe(0);
  });
});

describe('findSession', () => {
  it('finds no terminal of another person, and no terminal after the member list excludes the caller', async () => {
    const { id } = await rig.open();
    await expect(findSession(rig.ports, OTHER, id)).rejects.toMatchObject({ status: 404 });
    await expect(closeSession(rig.ports, OTHER, id)).rejects.toMatchObject({ status: 404 });
    const members = [{ subject: 'another', role: 'member' as const }];
    await workspaces.update(rig.ports.records, rig.workspace, { set: { members } });
    await expect(findSession(rig.ports, MEMBER, id)).rejects.toMatchObject({ status: 403 });
  });
});

describe('endOverdue', () => {
  const reasonAfter = async (id: string) => {
    await endOverdue(rig.ports);
    return rig.ports.sessions.all.get(id)?.ended?.reason;
  };

  it('ends a terminal after an hour without use, unless it prints', async () => {
    const { id } = await rig.open();
    rig.time.now += 50 * 60_000;
    rig.played[0]?.listener.onOutput('still here');
    rig.time.now += 50 * 60_000;
    expect(await reasonAfter(id)).toBeUndefined();
    rig.time.now += 11 * 60_000;
    expect(await reasonAfter(id)).toBe('idle');
    rig.time.now += 2 * 60_000;
    await endOverdue(rig.ports);
    expect(rig.ports.sessions.all.size).toBe(0);
  });

  it('ends a terminal after 12 hours', async () => {
    const { id } = await rig.open();
    for (let hour = 0; hour < 13; hour++) {
      rig.time.now += 55 * 60_000;
      rig.played[0]?.listener.onOutput('.');
    }
    expect(await reasonAfter(id)).toBeUndefined();
    rig.time.now += 10 * 60_000;
    expect(await reasonAfter(id)).toBe('lifetime');
  });

  it('ends a terminal whose owner is no longer a member, and a terminal of a deleted workspace', async () => {
    const [first, second] = [await rig.open(), await rig.open()];
    expect(await reasonAfter(first.id)).toBeUndefined();
    const members = [{ subject: 'one', role: 'viewer' as const }];
    await workspaces.update(rig.ports.records, rig.workspace, { set: { members } });
    expect(await reasonAfter(first.id)).toBe('rights_lost');
    await workspaces.delete(rig.ports.records, rig.workspace);
    expect(await reasonAfter(second.id)).toBe('rights_lost');
  });
});

describe('output of a terminal', () => {
  it('counts as read without a reader, and with a reader as far as the reader has taken it', async () => {
    const { id } = await rig.open();
    const [one] = rig.played;
    one?.listener.onOutput('abc');
    expect(one?.read).toBe(3);
    const session = await findSession(rig.ports, MEMBER, id);
    const signal = new AbortController().signal;
    const reader = followSession(rig.ports.clock, session, { after: 0, signal, timeLeftMs: 60_000 });
    await reader.next();
    one?.listener.onOutput('def');
    expect(one?.read).toBe(3);
    await reader.next();
    expect(one?.read).toBe(6);
    one?.listener.onOutput('ghi');
    await reader.return(undefined);
    expect(one?.read).toBe(9);
  });

  it('is kept up to a size, and a late reader starts with the rest', async () => {
    const { id } = await rig.open();
    for (let piece = 0; piece < 10; piece++) rig.played[0]?.listener.onOutput(String(piece).repeat(50_000));
    const { parts, from } = await readNow(id);
    expect(textOf(parts).length).toBe(250_000);
    expect(from).toBe(5);
    expect(textOf((await readNow(id, 8)).parts)).toBe('8'.repeat(50_000) + '9'.repeat(50_000));
    expect((await readNow(id, 1_000_000)).parts).toEqual([]);
  });

  it('ends with the reason', async () => {
    const { id } = await rig.open();
    rig.played[0]?.listener.onOutput('bye');
    rig.played[0]?.listener.onEnd(0);
    expect((await readNow(id)).parts).toEqual([
      { type: 'data-terminal', data: { text: 'bye' } },
      { type: 'data-terminal-end', data: { reason: 'exited', exitCode: 0 } },
    ]);
  });
});
