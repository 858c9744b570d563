import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Service, startService } from '../service.ts';
import { tempFolder } from '../temp-folder.ts';
import { threadTime } from './thread-time.ts';

/**
 * Cost of a request for the responding thread, in milliseconds of CPU time, which exclude other work on the
 * host.
 */
export interface Spent {
  /** The total. */
  worked: number;
  /** The longest part without a turn for other requests; 0 if it was below 10. */
  slice: number;
}

export interface SlicedService extends Service {
  /** Measures the service until the promise settles. No other caller may use it in the meantime. */
  measure<Result>(work: () => Promise<Result>): Promise<Spent & { result: Result }>;
}

const PROBE = new URL('./write-slices.ts', import.meta.url).href;
/** The probe writes a slice at its next check. */
const LOOKED_MS = 20;

/** Starts a service whose first thread reports how long it was busy without a break. */
export async function startSliced(env: Record<string, string> = {}): Promise<SlicedService> {
  const file = join(await tempFolder(), 'slices');
  await writeFile(file, '');
  const service = await startService({ ...env, NODE_OPTIONS: `--import=${PROBE}`, SLICES_FILE: file });
  return {
    ...service,
    async measure(work) {
      const { size } = await stat(file);
      const before = threadTime(service.pid);
      const result = await work();
      const worked = threadTime(service.pid) - before;
      await sleep(LOOKED_MS);
      const slices = (await readFile(file)).subarray(size).toString().split('\n').map(Number);
      return { result, worked, slice: Math.max(...slices) };
    },
  };
}
