import { expect, it } from '@jest/globals';
import { emptyDraft, wishOf } from '../../../web/research/start-draft.ts';

it("wishOf omits the question's origin, and texts of the form", () => {
  const draft = { ...emptyDraft('en'), question: ' How do owls hear? ', isFromAnswer: true };
  expect(wishOf(draft)).toEqual({
    ...{ question: 'How do owls hear?', depth: 'standard', sources: ['files', 'datasets'] },
    ...{ addresses: [], language: 'en', approvePlan: false, others: [] },
  });
});
