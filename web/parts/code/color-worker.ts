import { colorLines } from './color.ts';

/** Runs in a worker, because a text can block its patterns for minutes. */
addEventListener('message', ({ data }: MessageEvent<{ text: string; language: string }>) =>
  postMessage(colorLines(data.text, data.language)),
);
