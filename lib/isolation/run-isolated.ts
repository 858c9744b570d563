import { isMainThread } from 'node:worker_threads';
import { EndedBefore, type IsolatedProcess, openProcess, type TaskOptions } from './isolated-process.ts';
import type { IsolatedProgram, Tasks } from './program.ts';

/** Milliseconds after which an idle process is ended, which frees some 60 MB. */
const IDLE_MS = 30_000;

/** One program's processes in this thread, and the waiting tasks by caller name, oldest first. */
interface Crew {
  atOnce: number;
  idle: { process: IsolatedProcess; timer: NodeJS.Timeout }[];
  busy: number;
  waiting: Map<string, Set<() => void>>;
}

const crews = new Map<string, Crew>();

/**
 * Has a program process untrusted bytes safely: in a process with limits on memory, CPU time, and output,
 * which is killed from here at the time limit. Throws the task's refusal, InvalidInput if a limit was
 * exceeded, and the signal's reason.
 */
export async function runIsolated<Of extends Tasks, Name extends keyof Of & string>(
  program: IsolatedProgram<Of>,
  task: Name,
  input: Parameters<Of[Name]>[0],
  options: TaskOptions,
): Promise<Awaited<ReturnType<Of[Name]>>> {
  const crew = crewOf(program);
  await takeTurn(crew, options);
  try {
    const work = (process: IsolatedProcess) => process.ask(task, input, options);
    return (await workInOne(crew, program, work)) as Awaited<ReturnType<Of[Name]>>;
  } finally {
    giveTurn(crew);
  }
}

type Work = (process: IsolatedProcess) => Promise<unknown>;

/**
 * Works in one process. An idle process may have been killed unnoticed, for lack of memory, or while Lambda
 * had frozen all processes.
 */
async function workInOne(crew: Crew, program: IsolatedProgram, work: Work): Promise<unknown> {
  const idle = takeIdle(crew);
  if (idle === undefined) return workIn(crew, openProcess(program), work);
  try {
    return await workIn(crew, idle, work);
  } catch (error) {
    if (!(error instanceof EndedBefore)) throw error;
    return workInOne(crew, program, work);
  }
}

async function workIn(crew: Crew, process: IsolatedProcess, work: Work): Promise<unknown> {
  try {
    return await work(process);
  } finally {
    if (process.isFit()) keepIdle(crew, process);
    else process.end();
  }
}

function crewOf({ url, bounds }: IsolatedProgram): Crew {
  const known = crews.get(url);
  if (known !== undefined) return known;
  const atOnce = isMainThread ? bounds.atOnce.main : bounds.atOnce.worker;
  const crew: Crew = { atOnce, idle: [], busy: 0, waiting: new Map() };
  crews.set(url, crew);
  return crew;
}

async function takeTurn(crew: Crew, options: TaskOptions): Promise<void> {
  options.signal?.throwIfAborted();
  if (crew.busy >= crew.atOnce) return waitForTurn(crew, options);
  crew.busy += 1;
}

/** A caller that gives up while waiting leaves the queue, so that it doesn't waste a turn. */
function waitForTurn({ waiting }: Crew, { whose = '', signal }: TaskOptions): Promise<void> {
  const row = waiting.get(whose) ?? new Set();
  waiting.set(whose, row);
  return new Promise((resolve, reject) => {
    const leave = () => {
      row.delete(enter);
      if (row.size === 0) waiting.delete(whose);
      reject(signal?.reason);
    };
    const enter = () => {
      signal?.removeEventListener('abort', leave);
      resolve();
    };
    row.add(enter);
    signal?.addEventListener('abort', leave, { once: true });
  });
}

/**
 * Gives the queues turns in rotation, so that many tasks of one caller don't delay others. Within a queue,
 * the oldest task goes first.
 */
function giveTurn(crew: Crew): void {
  const [[whose, row] = ['', new Set<() => void>()]] = crew.waiting;
  const [enter] = row;
  if (enter === undefined) {
    crew.busy -= 1;
    return;
  }
  row.delete(enter);
  crew.waiting.delete(whose);
  if (row.size > 0) crew.waiting.set(whose, row);
  enter();
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
