import { existsSync } from 'node:fs';
import { bubblewrap } from '../../../lib/adapters/process/bubblewrap.ts';
import { probe } from '../../../lib/adapters/process/find-sandbox.ts';
import type { Sandbox, SandboxOptions } from '../../../lib/adapters/process/launch.ts';
import { namespaces } from '../../../lib/adapters/process/namespaces.ts';
import { seatbelt } from '../../../lib/adapters/process/seatbelt.ts';

/** The path of an unpacked bubblewrap: `BWRAP=/path npm test`. */
const BWRAP = process.env.BWRAP ?? 'bwrap';

/** Returns every sandbox that works on this host. Without a sandbox, the sandbox suites test nothing. */
export async function sandboxesHere(
  options: SandboxOptions = { network: 'none', hidden: [] },
): Promise<Sandbox[]> {
  if (process.platform === 'darwin') return [seatbelt(options)];
  if (!existsSync('/proc/self/ns/user')) return [];
  const all = [bubblewrap(options, BWRAP), namespaces(options)];
  const failures = await Promise.all(all.map(probe));
  return all.filter((_, index) => failures[index] === undefined);
}
