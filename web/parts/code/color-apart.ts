import { startWorker } from '../start-worker.ts';
import workerAddress from './color-worker.ts?worker&url';
import type { Token } from './token.ts';

/** In milliseconds. Typical code takes a tenth of this. */
const MAX_MS = 3_000;
/** Milliseconds after which an idle worker ends. */
const IDLE_MS = 5_000;

interface Job {
  text: string;
  language: string;
  done: (lines: Token[][]) => void;
}

const waiting: Job[] = [];
let running: Job | undefined;
let worker: Worker | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Colors texts in a worker, one after another, and calls back with the lines. The patterns of some languages
 * take minutes for a few malicious kilobytes; such text gets no colors. The returned function cancels the
 * job.
 */
export function colorApart(text: string, language: string, done: Job['done']): () => void {
  const job = { text, language, done };
  waiting.push(job);
  if (running === undefined) next();
  return () => {
    const place = waiting.indexOf(job);
    if (place !== -1) waiting.splice(place, 1);
    if (running === job) giveUp();
  };
}

function next(): void {
  clearTimeout(timer);
  running = waiting.shift();
  if (running === undefined) {
    timer = setTimeout(endWorker, IDLE_MS);
    return;
  }
  worker ??= start();
  timer = setTimeout(giveUp, MAX_MS);
  worker.postMessage({ text: running.text, language: running.language });
}

function start(): Worker {
  const started = startWorker('code-worker', workerAddress);
  started.onmessage = ({ data }: MessageEvent<Token[][]>) => {
    running?.done(data);
    next();
  };
  started.onerror = giveUp; // without colors, the text is the same
  return started;
}

/** Ends the worker, which is the only way to stop its work. */
function giveUp(): void {
  endWorker();
  next();
}

function endWorker(): void {
  worker?.terminate();
  worker = undefined;
}
