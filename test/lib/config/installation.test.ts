import { expect, it } from '@jest/globals';
import { operatorCommand } from '../../../lib/config/installation.ts';

it.each([
  ['doctor', 'npm run doctor', 'wrs doctor'],
  [
    'embedder install --reranker',
    'npm run embedder -- install --reranker',
    'wrs embedder install --reranker',
  ],
])('operator command: %s', (words, inClone, installed) => {
  expect([operatorCommand(words), operatorCommand(words, true)]).toEqual([inClone, installed]);
});
