import { expect, it } from '@jest/globals';
import { verifyProof } from '../../../../lib/research/proof/verify-proof.ts';
import { seededRandom } from '../../../eval/citations/seeded-random.ts';
import { shortProof } from '../../../support/proofs.ts';
import { TAMPERINGS, tamper } from '../../../support/tamper-proof.ts';

const KINDS = Object.keys(TAMPERINGS);
/** 1,000 in all. */
const PER_KIND = Math.ceil(1000 / KINDS.length);

it.each(KINDS)(`finds all of ${PER_KIND} proofs with %s`, async (kind) => {
  const random = seededRandom(KINDS.indexOf(kind) + 1);
  const proof = shortProof();
  expect(await verifyProof(proof)).toMatchObject({ isIntact: true });
  let found = 0;
  for (let tried = 0; tried < PER_KIND; ) {
    const tampered = await tamper(proof, kind, random);
    if (tampered === undefined) continue;
    tried += 1;
    if (!(await verifyProof(tampered)).isIntact) found += 1;
  }
  expect(found).toBe(PER_KIND);
});
