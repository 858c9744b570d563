import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A limit of a kernel control group. */
export type Limit = 'cpu' | 'memory' | 'freezer';

/**
 * Limits of a Lambda execution environment, by the kernel's control groups: processor time by memory, killing
 * beyond the memory, and a pause between invocations. Each function does nothing for a limit that
 * `missingLimits` names.
 */
export interface EnvironmentGroup {
  /** A process enters by writing its ID to each of these files. */
  entrances: string[];
  /** Sets the processor time from now on, up to this host's cores. */
  setCores(cores: number): void;
  freeze(): Promise<void>;
  thaw(): void;
  /** Returns the number of processes killed for memory. */
  memoryKills(): number;
  /** Returns the milliseconds in which its processes were throttled. */
  throttledMs(): number;
  /** Kills all its processes, and removes the group. */
  remove(): Promise<void>;
}

type Setting = [file: string, value: string | number];

/** The files of one version of control groups. */
interface Version {
  cores(quotaUs: number): Setting[];
  memory(bytes: number): Setting[];
  frozen(frozen: boolean): Setting[];
  /** A file, and the pattern that it matches once the group is frozen. */
  isFrozen: [file: string, pattern: RegExp];
  kills: [file: string, pattern: RegExp];
  throttled: [file: string, pattern: RegExp, perMs: number];
}

/** "At 1,769 MB, a function has the equivalent of one vCPU": https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
const MB_PER_CORE = 1769;
/**
 * The period for which the kernel assigns time. Lambda's own period isn't documented; the kernel's default is
 * 100 ms.
 */
const PERIOD_US = 20_000;
/** The shortest time slice of the kernel. */
const MIN_QUOTA_US = 1000;
const ROOT = '/sys/fs/cgroup';
const WAIT_MS = 5;
const MAX_WAITS = 1000;

const first: Version = {
  cores: (quota) => [
    ['cpu.cfs_period_us', PERIOD_US],
    ['cpu.cfs_quota_us', quota],
    ['cpu.shares', 262_144], // other work on this host can't use it
  ],
  memory: (bytes) => [['memory.limit_in_bytes', bytes]],
  frozen: (frozen) => [['freezer.state', frozen ? 'FROZEN' : 'THAWED']],
  isFrozen: ['freezer.state', /^FROZEN/],
  kills: ['memory.oom_control', /^oom_kill (\d+)/m],
  throttled: ['cpu.stat', /^throttled_time (\d+)/m, 1_000_000],
};

const second: Version = {
  cores: (quota) => [
    ['cpu.max', `${quota} ${PERIOD_US}`],
    ['cpu.weight', 10_000],
  ],
  memory: (bytes) => [['memory.max', bytes]],
  frozen: (frozen) => [['cgroup.freeze', frozen ? 1 : 0]],
  isFrozen: ['cgroup.events', /^frozen 1/m],
  kills: ['memory.events', /^oom_kill (\d+)/m],
  throttled: ['cpu.stat', /^throttled_usec (\d+)/m, 1000],
};

/** Folders in which a limit can be set. Version 1 has a separate hierarchy for each limit. */
const HIERARCHIES: [version: Version, folderOf: (limit: Limit) => string][] = [
  [first, (limit) => join(ROOT, limit)],
  [second, () => ROOT],
];

let made = 0;

/**
 * Returns the limits that this host can't set, because it has no control groups or they belong to another
 * user.
 */
export function missingLimits(): Limit[] {
  return (['cpu', 'memory', 'freezer'] as const).filter((limit) => {
    const place = makePlace(limit, nextName());
    if (place !== undefined) rmdirSync(place.folder);
    return place === undefined;
  });
}

export function makeEnvironmentGroup(memoryMb: number): EnvironmentGroup {
  const name = nextName();
  const [cpu, memory, freezer] = (['cpu', 'memory', 'freezer'] as const).map((limit) =>
    makePlace(limit, name),
  );
  const folders = [...new Set([cpu, memory, freezer].flatMap((place) => place?.folder ?? []))];
  apply(memory, ({ memory: settings }) => settings(memoryMb * 1024 * 1024));
  const thaw = () => apply(freezer, ({ frozen }) => frozen(false));
  return {
    entrances: folders.map((folder) => join(folder, 'cgroup.procs')),
    setCores(cores) {
      const time = Math.min(cores, availableParallelism()) * PERIOD_US;
      apply(cpu, (version) => version.cores(Math.max(MIN_QUOTA_US, Math.round(time))));
    },
    async freeze() {
      apply(freezer, ({ frozen }) => frozen(true));
      await until(() => freezer === undefined || look(freezer, freezer.version.isFrozen) !== undefined);
    },
    thaw,
    memoryKills: () => Number(memory === undefined ? 0 : look(memory, memory.version.kills)?.[1]),
    throttledMs() {
      if (cpu === undefined) return 0;
      const [file, pattern, perMs] = cpu.version.throttled;
      return Number(look(cpu, [file, pattern])?.[1]) / perMs;
    },
    async remove() {
      thaw(); // a frozen process doesn't die
      await until(() => folders.every((folder) => killAll(folder) === 0));
      for (const folder of folders) rmdirSync(folder);
    },
  };
}

export const coresOf = (memoryMb: number) => memoryMb / MB_PER_CORE;

interface LimitPlace {
  folder: string;
  version: Version;
}

const nextName = () => `wrs-lambda-${process.pid}-${++made}`;

/** Creates the group's folder for one limit; undefined if the limit can't be set there. */
function makePlace(limit: Limit, name: string): LimitPlace | undefined {
  for (const [version, folderOf] of HIERARCHIES) {
    const place = { folder: join(folderOf(limit), name), version };
    try {
      if (!existsSync(place.folder)) mkdirSync(place.folder);
      if (hasFiles(place, limit)) return place;
      rmdirSync(place.folder);
    } catch {
      // The hierarchy doesn't exist, or belongs to another user.
    }
  }
  return undefined;
}

function hasFiles({ folder, version }: LimitPlace, limit: Limit): boolean {
  const settings = {
    cpu: version.cores(PERIOD_US),
    memory: version.memory(1),
    freezer: version.frozen(false),
  };
  return settings[limit].every(([file]) => existsSync(join(folder, file)));
}

function apply(place: LimitPlace | undefined, settings: (version: Version) => Setting[]): void {
  if (place === undefined) return;
  for (const [file, value] of settings(place.version)) writeFileSync(join(place.folder, file), String(value));
}

function look({ folder }: LimitPlace, [file, pattern]: [string, RegExp]): RegExpExecArray | undefined {
  return pattern.exec(readFileSync(join(folder, file), 'utf8')) ?? undefined;
}

/** Returns the number of processes. */
function killAll(folder: string): number {
  const processes = readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean);
  for (const pid of processes) killIfThere(Number(pid));
  return processes.length;
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended on its own.
  }
}

async function until(isReached: () => boolean): Promise<void> {
  for (let waits = 0; !isReached(); waits++) {
    if (waits === MAX_WAITS) throw new Error('the control group did not follow');
    await sleep(WAIT_MS);
  }
}
