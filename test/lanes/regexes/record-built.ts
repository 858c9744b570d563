import { parentPort, workerData } from 'node:worker_threads';

/** A pattern passed to `new RegExp(…)` while a module was loaded, with its callers: `file:///…:line` each. */
export interface Built {
  pattern: string;
  flags: string;
  callers: string[];
}

/** A worker thread: loads the module and reports the patterns that it built. */
const built: Built[] = [];
Error.stackTraceLimit = 20;
globalThis.RegExp = new Proxy(globalThis.RegExp, {
  construct(target, args, newTarget) {
    const { source, flags } = Reflect.construct(target, args, newTarget) as RegExp;
    const callers = [...(new Error().stack ?? '').matchAll(/(file:\/\/[^\s()]+:\d+):\d+/g)];
    built.push({ pattern: source, flags, callers: callers.map(([, place = '']) => place) });
    return Reflect.construct(target, args, newTarget) as RegExp;
  },
});
await import(workerData as string);
parentPort?.postMessage(built);
