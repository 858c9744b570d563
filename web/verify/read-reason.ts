import { DRAFT_REASONS } from '../../lib/api-contract/draft-reasons.ts';

/** A sentence of the service that the console words itself. */
interface KnownReason {
  name: (typeof REASONS)[number][0];
  /** What it names, in the words of the draft or of a file. */
  what?: string;
  path?: string;
  label?: string;
}

export interface Reason {
  known: KnownReason[];
  /** Whether a model judged, and in which words of its own. */
  byModel: boolean;
  rest: string;
}

const literal = (text: string) => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`);
const NAMED = String.raw`The source that it names \(`;
const BEFORE_NEXT = `(?= ${NAMED}| ${DRAFT_REASONS.otherSubject}| ${DRAFT_REASONS.version}|$)`;

/** How each sentence begins, and what it names. */
const REASONS = [
  ['same', literal(DRAFT_REASONS.same)],
  ['notJudged', literal(DRAFT_REASONS.notJudged)],
  ['nothing', literal(DRAFT_REASONS.nothing)],
  ['otherSubject', literal(DRAFT_REASONS.otherSubject)],
  ['version', new RegExp(String.raw`^${DRAFT_REASONS.version} (?<path>.+)\.$`, 's')],
  ['alsoOtherwise', new RegExp(String.raw`^Another place says otherwise: (?<path>.+?)\.${BEFORE_NEXT}`, 's')],
  ['absent', new RegExp(String.raw`^${NAMED}(?<label>.+?)\) is not in the files\.`, 's')],
  ['namedOtherwise', new RegExp(String.raw`^${NAMED}(?<label>.+?): (?<path>[^:]+)\) says otherwise\.`, 's')],
  ['elsewhere', /^(?<path>.+?) has it, but the source that it names \((?<label>.+?)\) does not\./s],
  [
    'similar',
    /^(?<path>.+?) has something similar, but the source that it names \((?<label>.+?)\) does not\./s,
  ],
  ['lacking', new RegExp(`^Not in the quotes: (?<what>.+?)${BEFORE_NEXT}`, 's')],
  ['otherwise', new RegExp(`^The quotes say otherwise: (?<what>.+?)${BEFORE_NEXT}`, 's')],
  ['saysIt', literal('The quotes say it.')],
  ['saysSome', literal('The quotes say only some of it.')],
  ['saysOther', literal('The quotes say otherwise.')],
  ['saysNot', literal('The nearest quotes do not say it.')],
] as const;

/** Takes the known sentences from the beginning of a reason. */
export function readReason(reason: string): Reason {
  const known: KnownReason[] = [];
  let rest = reason.trim();
  for (let found = firstIn(rest); found !== undefined; found = firstIn(rest)) {
    known.push(found.known);
    rest = rest.slice(found.length).trim();
  }
  return { known, byModel: rest !== '' || known.some(({ name }) => name.startsWith('says')), rest };
}

function firstIn(text: string): { known: KnownReason; length: number } | undefined {
  for (const [name, pattern] of REASONS) {
    const match = pattern.exec(text);
    if (match !== null) return { known: { name, ...match.groups }, length: match[0].length };
  }
  return undefined;
}
