import { isMainThread } from 'node:worker_threads';
import { type IsolatedProcess, openProcess, type TaskOptions } from './isolated-process.ts';
import type { IsolatedProgram, Tasks } from './program.ts';

/** A process that has nothing to do goes, and with it some 60 MB. */
const IDLE_MS = 30_000;

/** The processes of one program in this thread, and who waits for one. */
interface Crew {
  atOnce: number;
  idle: { process: IsolatedProcess; timer: NodeJS.Timeout }[];
  busy: number;
  waiting: (() => void)[];
}

const crews = new Map<string, Crew>();

/**
 * Has a program work on bytes that others made, where they can do no harm: in a process with bounds on memory, processor time
 * and output, which is killed from here when its time is over. Throws what the task refuses with, InvalidInput for what goes
 * beyond a bound, and the signal's reason.
 */
export async function runIsolated<Of extends Tasks, Name extends keyof Of & string>(
  program: IsolatedProgram<Of>,
  task: Name,
  input: Parameters<Of[Name]>[0],
  options: TaskOptions,
): Promise<Awaited<ReturnType<Of[Name]>>> {
  const crew = crewOf(program);
  await takeTurn(crew, options.signal);
  const process = takeIdle(crew) ?? openProcess(program);
  try {
    return (await process.ask(task, input, options)) as Awaited<ReturnType<Of[Name]>>;
  } finally {
    if (process.isFit()) keepIdle(crew, process);
    else process.end();
    crew.busy -= 1;
    crew.waiting.shift()?.();
  }
}

function crewOf({ url, bounds }: IsolatedProgram): Crew {
  const known = crews.get(url);
  if (known !== undefined) return known;
  const atOnce = isMainThread ? bounds.atOnce.main : bounds.atOnce.worker;
  const crew: Crew = { atOnce, idle: [], busy: 0, waiting: [] };
  crews.set(url, crew);
  return crew;
}

/** Who gives up while waiting leaves the row. */
async function takeTurn(crew: Crew, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  while (crew.busy >= crew.atOnce) {
    await new Promise<void>((resolve) => {
      crew.waiting.push(resolve);
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
    if (!signal?.aborted) continue;
    crew.waiting.shift()?.(); // the turn may have been given to who just left
    signal.throwIfAborted();
  }
  crew.busy += 1;
}

function takeIdle({ idle }: Crew): IsolatedProcess | undefined {
  for (let one = idle.pop(); one !== undefined; one = idle.pop()) {
    clearTimeout(one.timer);
    if (one.process.isFit()) return one.process;
  }
  return undefined;
}

function keepIdle(crew: Crew, process: IsolatedProcess): void {
  const end = () => {
    crew.idle = crew.idle.filter((one) => one.process !== process);
    process.end();
  };
  crew.idle.push({ process, timer: setTimeout(end, IDLE_MS).unref() });
}
