import { rm } from 'node:fs/promises';
import type { FolderMount } from '../../../ports/commands.ts';
import type { Terminal, TerminalListener, TerminalStart, Terminals } from '../../../ports/terminals.ts';
import { boundsIn, isMounted, launchTerminal } from '../commands.ts';
import type { LaunchPlan, Sandbox } from '../launch.ts';
import { withTargets } from '../mount-targets.ts';
import type { HostGuard } from '../network/host-proxy.ts';
import { withHosts } from '../network/with-hosts.ts';
import { startPty } from './client.ts';

/** Opens terminals as processes of this host, in the given sandbox. `start` starts the processes. */
export function processTerminals(
  sandbox: Sandbox,
  { start = startPty, guard = {} }: { start?: typeof startPty; guard?: HostGuard } = {},
): Terminals {
  return {
    open({ mounts, writable, hosts, ...places }, listener) {
      const opened = Promise.withResolvers<Terminal>();
      const hold = (shown: FolderMount[]) =>
        withHosts(sandbox, { hosts, guard }, (proxy) => {
          const shownPlaces = { ...places, writable, mounts: shown, proxySocket: proxy?.socketPath };
          return holdUntilEnd(shownPlaces, listener, opened.resolve);
        });
      withTargets(isMounted(sandbox) ? mounts : [], writable, hold).catch(opened.reject);
      return opened.promise;
    },
  };

  /** The mounted folders and the temporary folder exist until the terminal has ended. */
  async function holdUntilEnd(
    places: Omit<TerminalStart, 'hosts'> & Pick<LaunchPlan, 'proxySocket'>,
    { onOutput, onEnd }: TerminalListener,
    opened: (terminal: Terminal) => void,
  ): Promise<void> {
    const launch = await launchTerminal(sandbox, places);
    const ended = Promise.withResolvers<number | null>();
    try {
      const { columns, rows } = places;
      const request = { launch, columns, rows, bounds: boundsIn(sandbox) };
      opened(await start(request, { onOutput, onEnd: ended.resolve }));
      onEnd(await ended.promise);
    } finally {
      if (launch.temporaryFolder !== undefined)
        await rm(launch.temporaryFolder, { recursive: true, force: true });
    }
  }
}
