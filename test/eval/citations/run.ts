import { parseArgs } from 'node:util';
import { WAYS } from './baselines.ts';
import { type LocatedClaim, locatedInScifact, locatedInWice, readWice } from './collections.ts';
import { measureLocation } from './quote-location.ts';
import { acceptedUnrelated } from './unrelated.ts';

/**
 * `npm run eval:citations -- --wice FOLDER --scifact FOLDER`: how often the quote of a claim is the evidence that people chose, without a
 * model. `--held-out` adds WiCE's test part, which nothing may be tuned on.
 */
const { values } = parseArgs({
  options: { wice: { type: 'string' }, scifact: { type: 'string' }, 'held-out': { type: 'boolean' } },
});
const { wice, scifact } = values;
const isHeldOut = values['held-out'] === true;
const UNRELATED_PAIRS = 5000;

if (scifact !== undefined) {
  for (const part of ['train', 'validation'])
    printLocation(`SciFact ${part}`, await locatedInScifact(scifact, part));
}
if (wice !== undefined) {
  for (const part of isHeldOut ? ['dev', 'test'] : ['dev'])
    printLocation(`WiCE ${part}`, locatedInWice(await readWice(wice, part)));
}

function printLocation(name: string, claims: LocatedClaim[]): void {
  console.log(`\n${name}: ${claims.length} claims with evidence`);
  console.log(`${''.padEnd(26)}found  hit    whole  precision  length  ms (longest)`);
  for (const [way, locate] of Object.entries(WAYS)) {
    const { found, hit, whole, precision, length, ms, longestMs } = measureLocation(claims, locate);
    const shares = [found, hit, whole].map((share) => share.toFixed(3).padEnd(6)).join(' ');
    const rest = `${precision.toFixed(3).padEnd(10)} ${length.toFixed(0).padEnd(7)}`;
    console.log(`${way.padEnd(26)}${shares} ${rest} ${ms.toFixed(1)} (${longestMs.toFixed(0)})`);
  }
  const accepted = acceptedUnrelated(claims, UNRELATED_PAIRS, WAYS.findQuote);
  console.log(`findQuote accepts ${percent(accepted)} of ${UNRELATED_PAIRS} unrelated passages`);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
