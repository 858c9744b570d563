import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { tempFolder } from '../../support/temp-folder.ts';
import { checkTokens } from './code-checks.ts';
import { locatedInScifact, locatedInWice } from './collections.ts';
import { measureLocation } from './quote-location.ts';
import { acceptedUnrelated } from './unrelated.ts';

const CORPUS = `doc_id,title,abstract,structured
7,Owls,"['Owls sleep.'
 ""It's dark, they said.""
 'They hunt ""mice"".']",False
8,Bears,['Bears swim.'],False
`;
const CLAIMS = `id,claim,evidence_doc_id,evidence_label,evidence_sentences,cited_doc_ids
1,"Owls hunt, and sleep.",7,SUPPORT,[0],[7]
1,"Owls hunt, and sleep.",7,SUPPORT,[1 2],[7]
2,Owls swim.,,,[],[7]
`;

it('locatedInScifact reads the rationales of SciFact, combined per claim', async () => {
  const folder = await tempFolder();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'corpus_train.csv'), CORPUS);
  await writeFile(join(folder, 'claims_train.csv'), CLAIMS);
  const [located, ...more] = await locatedInScifact(folder, 'train');
  expect(more).toEqual([]);
  expect(located).toMatchObject({ claim: 'Owls hunt, and sleep.', gold: [[0], [1, 2]] });
  const { text = '', sentences = [] } = located ?? {};
  expect(sentences.map(({ start, end }) => text.slice(start, end))).toEqual([
    'Owls sleep.',
    "It's dark, they said.",
    'They hunt "mice".',
  ]);
});

const WICE = {
  label: 'partially_supported' as const,
  claim: 'Owls sleep 12 hours in Rome.',
  evidence: ['Bears swim.', 'Owls sleep for 11 hours.', 'They do so in Rome.', 'Cats climb.'],
  supporting_sentences: [[1], [1, 2]],
};

it('measureLocation reports whether the location contains the evidence, and how much other text', () => {
  const claims = locatedInWice([WICE, { ...WICE, label: 'not_supported' }]);
  expect(claims).toHaveLength(1);
  const { text = '' } = claims[0] ?? {};
  const place = { start: text.indexOf('Owls'), end: text.indexOf('\nCats') };
  expect(measureLocation(claims, () => place)).toMatchObject({ found: 1, hit: 1, whole: 1, precision: 1 });
  expect(measureLocation(claims, () => ({ ...place, start: 0 }))).toMatchObject({ hit: 1, precision: 2 / 3 });
  expect(measureLocation(claims, () => ({ start: 0, end: 11 }))).toMatchObject({ hit: 0, precision: 0 });
  expect(measureLocation(claims, () => undefined)).toMatchObject({ found: 0, hit: 0 });
});

it('acceptedUnrelated counts locations in passages of other documents', () => {
  const other = { ...WICE, evidence: ['Rain fell.'], supporting_sentences: [[0]] };
  const claims = locatedInWice([WICE, other]);
  expect(acceptedUnrelated(claims, 20, () => undefined)).toBe(0);
  expect(acceptedUnrelated(claims, 20, ({ text }) => ({ start: 0, end: text.length }))).toBe(1);
});

it('checkTokens counts an alarm as correct if people marked one of its words', () => {
  const claim_tokens = ['Owls', 'sleep', '12', 'hours', 'in', 'Rome', '.'];
  const marked = (word: string) => claim_tokens.map((token) => token === word);
  const right = checkTokens([{ ...WICE, claim_tokens, non_supported_spans: marked('12') }], 'evidence');
  expect(right).toMatchObject({ found: 1, alarms: [{ isRight: true }] });
  const wrong = checkTokens([{ ...WICE, claim_tokens, non_supported_spans: marked('Rome') }], 'evidence');
  expect(wrong).toMatchObject({ found: 0, alarms: [{ isRight: false }] });
});
