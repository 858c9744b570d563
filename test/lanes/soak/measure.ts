import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { residentMegabytes } from '../../support/processes/process-memory.ts';
import type { Service } from '../../support/service.ts';

/** The resources of the service at one moment. Linux only. */
export interface Sample {
  minute: number;
  memory: number;
  descriptors: number;
  /** Descriptors of removed files, whose space isn't free yet. */
  removed: number;
  threads: number;
  /** MB of the data folder, and of the index in it. */
  data: number;
  index: number;
  files: number;
}

export async function takeSample({ pid, dataDir }: Service, minute: number): Promise<Sample> {
  const open = descriptorsOf(pid);
  const [data, index] = await Promise.all([sizeOf(dataDir), sizeOf(join(dataDir, 'vectors'))]);
  return {
    minute,
    memory: Math.round(residentMegabytes(pid)),
    descriptors: open.length,
    removed: open.filter((target) => target.endsWith(' (deleted)')).length,
    threads: Number(/^Threads:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]),
    data: Math.round(data.bytes / 1e6),
    index: Math.round(index.bytes / 1e6),
    files: data.files,
  };
}

function descriptorsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(join(folder, name))];
    } catch {
      return []; // closed since it was listed
    }
  });
}

export async function sizeOf(folder: string): Promise<{ bytes: number; files: number }> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return sizeOf(path);
      const found = await stat(path).catch(() => undefined);
      return { bytes: (found?.blocks ?? 0) * 512, files: 1 };
    }),
  );
  return sizes.reduce((sum, each) => ({ bytes: sum.bytes + each.bytes, files: sum.files + each.files }), {
    bytes: 0,
    files: 0,
  });
}
