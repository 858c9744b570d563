import { beforeAll, describe, expect, it } from '@jest/globals';
import { tempFolder } from '../support/temp-folder.ts';
import { undiciSet } from './eval-sets.ts';
import {
  finder,
  index,
  measure,
  measureNotice,
  type Question,
  readPassages,
  readQuestions,
} from './evaluate.ts';

/** Checks the minimum quality of keyword search with a third of the first set of `npm run eval`. */
describe('keyword search over third-party pages', () => {
  let ports: Awaited<ReturnType<typeof index>>;
  let questions: Question[];
  beforeAll(async () => {
    questions = (await readQuestions(undiciSet.questions)).filter((_, place) => place % 3 === 0);
    ports = await index(await tempFolder(), await readPassages(undiciSet.folder), undefined);
  });

  it('finds the right file as often as the baseline', async () => {
    const { ndcg, recall, first } = await measure(questions, finder(ports));
    expect(ndcg).toBeGreaterThan(0.78);
    expect(recall).toBeGreaterThan(0.95);
    expect(first).toBeGreaterThan(0.6);
  });

  it('reports that no passage is close if no file has the answer, and rarely otherwise', async () => {
    const { answerable, unanswerable } = await measureNotice(questions, ports);
    expect(unanswerable).toBeGreaterThan(0.75);
    expect(answerable).toBeLessThan(0.1);
  });
});
