import { startWorker } from '../../parts/start-worker.ts';
import workerAddress from './color-worker.ts?worker&url';
import type { Token } from './line-pieces.ts';

/** Code as people write it takes a tenth of this. */
const MAX_MS = 3_000;

/**
 * Colors a text in a worker of its own, and calls back with its lines. The patterns of some languages take minutes for a few
 * kilobytes that are made for it: then there are no colors. The returned function ends it.
 */
export function colorApart(text: string, language: string, done: (lines: Token[][]) => void): () => void {
  const worker = startWorker('code-worker', workerAddress);
  const timer = setTimeout(() => worker.terminate(), MAX_MS);
  const end = () => {
    clearTimeout(timer);
    worker.terminate();
  };
  worker.onmessage = ({ data }: MessageEvent<Token[][]>) => {
    end();
    done(data);
  };
  worker.onerror = end; // without colors it is the same text
  worker.postMessage({ text, language });
  return end;
}
