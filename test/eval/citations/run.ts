import { parseArgs } from 'node:util';
import { WAYS } from './baselines.ts';
import { type Alarm, checkSupported, checkTokens } from './code-checks.ts';
import {
  type LocatedClaim,
  locatedInScifact,
  locatedInWice,
  readWice,
  readWiceTokens,
} from './collections.ts';
import { measureLocation } from './quote-location.ts';
import { acceptedUnrelated } from './unrelated.ts';

/**
 * `npm run eval:citations -- --wice FOLDER --scifact FOLDER`: how often the quote of a claim is the evidence
 * that people chose, without a model, and how often the facts that code reports as missing are the words that
 * people marked. `--held-out` adds WiCE's test part, which must not be used for tuning; `--alarms` lists the
 * false positives.
 */
const { values } = parseArgs({
  options: {
    wice: { type: 'string' },
    scifact: { type: 'string' },
    'held-out': { type: 'boolean' },
    alarms: { type: 'boolean' },
  },
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
  for (const part of isHeldOut ? ['train', 'dev', 'test'] : ['train', 'dev']) await printChecks(wice, part);
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

async function printChecks(folder: string, part: string): Promise<void> {
  const tokens = await readWiceTokens(folder, part);
  console.log(
    `\nWiCE ${part}, unsupported words of ${tokens.length} claims: right, false, precision; claims found`,
  );
  for (const against of ['evidence', 'article'] as const) {
    const { claims, alarms, found } = checkTokens(tokens, against);
    const named = alarms.filter(({ fact }) => fact.kind === 'name');
    const others = alarms.filter(({ fact }) => fact.kind !== 'name');
    const rows = { all: alarms, names: named, 'numbers, units, dates, contradictions': others };
    for (const [kind, some] of Object.entries(rows)) printAlarms(`next to the ${against}: ${kind}`, some);
    console.log(`${`next to the ${against}`.padEnd(62)}found ${percent(found / claims)}`);
  }
  if (part === 'train') return;
  const { claims, alarms, found } = checkSupported(await readWice(folder, part));
  console.log(`supported claims with a false alarm: ${found} of ${claims} (${percent(found / claims)})`);
  const certain = alarms.filter(({ fact }) => fact.kind !== 'name').map(({ claim }) => claim);
  console.log(`the same, without names: ${new Set(certain).size} of ${claims}`);
  showFalse(alarms);
}

function printAlarms(name: string, alarms: Alarm[]): void {
  const right = alarms.filter(({ isRight }) => isRight).length;
  const precision = (right / Math.max(1, alarms.length)).toFixed(3);
  console.log(`${name.padEnd(62)}${right} ${alarms.length - right} ${precision}`);
  if (name.endsWith('evidence: all')) showFalse(alarms);
}

function showFalse(alarms: Alarm[]): void {
  if (values.alarms !== true) return;
  for (const { fact, claim, evidence } of alarms.filter(({ isRight }) => !isRight)) {
    console.log(`  [${fact.kind}: ${fact.text}] ${claim}\n      ${evidence.join('\n      ')}`);
  }
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
