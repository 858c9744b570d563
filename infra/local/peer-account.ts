import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { throughProxy } from '../../lib/tokens/local-caller.ts';

/**
 * User IDs of people, including systemd-homed (https://systemd.io/UIDS-GIDS). All others except root run services or
 * containers.
 */
const PEOPLE = { first: 1000, last: 60_513 };

const known = new WeakMap<Socket, Promise<number | undefined>>();

/**
 * Throws Forbidden for a connection from a service account of this host or of a container, other than this process's
 * own, because without sign-in that is a reverse proxy, whatever its requests say. Accepts people and root, and
 * everyone if the system doesn't report the account (macOS).
 */
export async function refuseServiceAccounts(socket: Socket): Promise<void> {
  const found = known.get(socket) ?? findServiceAccount(socket);
  known.set(socket, found);
  const uid = await found;
  if (uid !== undefined) throw throughProxy(`opened by user ID ${uid}, which isn't a person's`);
}

async function findServiceAccount({ localPort = 0, remotePort = 0 }: Socket): Promise<number | undefined> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'latin1').catch(() => '')),
  );
  return serviceAccountIn(tables.join('\n'), remotePort, localPort);
}

/**
 * Reads the kernel's tables of connections: `0: 0100007F:D431 0100007F:0BB8 01 00000000:00000000 00:00000000 00000000
 * 33 …`. The two port numbers identify a connection well enough, because another one with the same ports would also be
 * refused.
 */
export function serviceAccountIn(table: string, from: number, to: number): number | undefined {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');
  const row = new RegExp(`^ *\\d+: \\w+:${hex(from)} \\w+:${hex(to)} \\w+ \\S+ \\S+ \\w+ +(\\d+) `, 'gm');
  return [...table.matchAll(row)].map(([, uid]) => Number(uid)).find(isServiceAccount);
}

function isServiceAccount(uid: number): boolean {
  const isPerson = uid >= PEOPLE.first && uid <= PEOPLE.last;
  return !isPerson && uid !== 0 && uid !== process.getuid?.();
}
