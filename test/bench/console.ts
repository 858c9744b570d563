import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { buildPage } from '../../infra/web/build.ts';
import { type BenchRow, ms } from './table.ts';

const FIGURES = join(resolve(import.meta.dirname, '..'), 'lanes/web/figures.ts');
const LONG_TASK_MS = 50;

/** As test/lanes/web/figures.ts writes them. */
type Figures = Record<
  | 'firstContentMs'
  | 'slowedContentMs'
  | 'firstLoadBytes'
  | 'entries'
  | 'scrollTaskMs'
  | 'tokens'
  | 'tokensPerSecond'
  | 'streamTaskMs'
  | 'pdfPages'
  | 'pdfMs',
  number
>;

/** The console in Chromium, in a process of its own: what runs in a page is written for one. */
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
    task(`longest task, scrolling ${entries} entries`, figures.scrollTaskMs),
    task(`longest task, ${tokens} tokens at ${Math.round(tokensPerSecond)}/s`, figures.streamTaskMs),
    {
      measure: `a PDF of ${pdfPages} pages, to the quote on its page`,
      ours: ms(figures.pdfMs),
      baseline: '-',
      aim: 'under 1500 ms',
      met: figures.pdfMs < 1500,
    },
  ];
}

/** Chromium tells of none that is shorter. */
function task(measure: string, longest: number): BenchRow {
  const ours = longest === 0 ? `under ${LONG_TASK_MS} ms` : ms(longest);
  return { measure, ours, baseline: '-', aim: `under ${LONG_TASK_MS} ms`, met: longest < LONG_TASK_MS };
}
