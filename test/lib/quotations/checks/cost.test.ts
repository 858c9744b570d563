import { expect, it } from '@jest/globals';
import { startPipeline } from '../../../support/pipeline.ts';
import { measureQuoteCost } from '../../../support/quote-costs.ts';

const pipeline = await startPipeline();
pipeline.ports.embedder = undefined;

it('a change of a quoted file costs the same reads and writes, however many documents quote other files', async () => {
  const few = await measureQuoteCost(pipeline, 20);
  const many = await measureQuoteCost(pipeline, 3000);
  const { documents: _few, ms: _fewMs, ...costOfFew } = few;
  const { documents: _many, ms: _manyMs, ...costOfMany } = many;
  expect(costOfMany).toEqual(costOfFew);
  expect(costOfFew.calls).toBeGreaterThan(10);
});
