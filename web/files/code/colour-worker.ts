import { colourLines } from './colour.ts';

/** Runs in a worker: a text can hold its patterns up for minutes. */
addEventListener('message', ({ data }: MessageEvent<{ text: string; language: string }>) =>
  postMessage(colourLines(data.text, data.language)),
);
