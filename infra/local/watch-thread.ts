import { parentPort, workerData } from 'node:worker_threads';
import { readConfig } from '../../lib/config.ts';
import { watchWorkspaces } from '../../lib/indexing/watch/watch-workspaces.ts';
import { setLogLevel } from '../../lib/log.ts';
import { systemClock } from '../../lib/ports/clock.ts';
import { openFolderWatcher } from '../../lib/wiring/folder-watcher.ts';
import { openQueue } from '../../lib/wiring/queue.ts';
import { openRecords } from '../../lib/wiring/records.ts';

/**
 * The thread that watches folders. It reads their events immediately, even if other threads are busy. Any
 * message stops it.
 */
const config = readConfig();
setLogLevel(config.logLevel);
const ports = {
  records: await openRecords(config),
  touchQueue: await openQueue(config, 'touch'),
  commitQueue: await openQueue(config, 'commit'),
  watcher: await openFolderWatcher(),
  clock: systemClock,
};
const watching = watchWorkspaces(ports, workerData as { isAlone: boolean });
parentPort?.once('message', () => void watching.stop().finally(() => process.exit()));
