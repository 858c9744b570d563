import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { buildPage } from '../../infra/web/build.ts';
import type { Figures, Task } from './console-figures.ts';
import { type BenchRow, ms } from './table.ts';

const FIGURES = join(resolve(import.meta.dirname, '..'), 'lanes/web/figures.ts');
const LONG_TASK_MS = 50;

/** Measures the console in Chromium, in a separate process, because a page runs in its own environment. */
export async function benchConsole(): Promise<BenchRow[]> {
  await buildPage();
  const figures = JSON.parse(execFileSync(process.execPath, [FIGURES]).toString()) as Figures;
  const { entries, tokens, tokensPerSecond, pdfPages } = figures;
  return [
    {
      measure: 'first content, processor slowed 4 times',
      ours: ms(figures.slowedContentMs),
      baseline: `not slowed ${ms(figures.firstContentMs)}`,
      aim: 'under 1000 ms',
      met: figures.slowedContentMs < 1000,
    },
    {
      measure: 'scripts of the first load, gzipped',
      ours: `${(figures.firstLoadBytes / 1000).toFixed(1)} KB`,
      baseline: '-',
      aim: 'under 200 KB',
      met: figures.firstLoadBytes < 200_000,
    },
    task(`longest task, scrolling ${entries} entries`, figures.scrollTask),
    task(`longest task, ${tokens} tokens at ${Math.round(tokensPerSecond)}/s`, figures.streamTask),
    {
      measure: `a PDF of ${pdfPages} pages, to the quote on its page`,
      ours: ms(figures.pdfMs),
      baseline: '-',
      aim: 'under 1500 ms',
      met: figures.pdfMs < 1500,
    },
  ];
}

function task(measure: string, { ms: longest, processorMs }: Task): BenchRow {
  const baseline = `longest by processor time ${ms(processorMs)}`;
  return {
    measure,
    ours: ms(longest),
    baseline,
    aim: `under ${LONG_TASK_MS} ms`,
    met: longest < LONG_TASK_MS,
  };
}
