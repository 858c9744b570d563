import { colorLines } from './color.ts';

/** Runs in a worker: a text can hold its patterns up for minutes. */
addEventListener('message', ({ data }: MessageEvent<{ text: string; language: string }>) =>
  postMessage(colorLines(data.text, data.language)),
);
