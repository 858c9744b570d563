import { DRAFT_REASONS, JUDGE_REASONS } from '../../lib/api-contract/draft-reasons.ts';

/** A sentence of the service that the console words itself. */
interface KnownReason {
  name: (typeof REASONS)[number][0];
  /** What it names, in the words of the draft or of a file. */
  what?: string;
  /** What a file has instead. */
  said?: string;
  path?: string;
  label?: string;
}

export interface Reason {
  known: KnownReason[];
  /** What the console doesn't word: mostly a model's own words. */
  rest: string;
}

const literal = (text: string) => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`);
const NAMED = String.raw`The source that it names \(`;
const NOTES = [
  DRAFT_REASONS.takenBack,
  DRAFT_REASONS.otherSubject,
  DRAFT_REASONS.dependent,
  DRAFT_REASONS.unlisted,
  DRAFT_REASONS.version,
];
const BEFORE_NEXT = `(?= ${[NAMED, ...NOTES].join('| ')}|$)`;
/** What is named continues to the end of its sentence, which may lack its full stop. */
const WHAT = String.raw`(?<what>.+?)\.?${BEFORE_NEXT}`;

/** How each sentence begins, and what it names. */
const REASONS = [
  ['same', literal(DRAFT_REASONS.same)],
  ['notJudged', literal(DRAFT_REASONS.notJudged)],
  ['nothing', literal(DRAFT_REASONS.nothing)],
  ['weak', literal(DRAFT_REASONS.weak)],
  ['takenBack', literal(DRAFT_REASONS.takenBack)],
  ['otherSubject', literal(DRAFT_REASONS.otherSubject)],
  ['unlisted', new RegExp(String.raw`^${DRAFT_REASONS.unlisted} (?<label>\[.+?\])\.`)],
  ['dependent', literal(DRAFT_REASONS.dependent)],
  ['version', new RegExp(String.raw`^${DRAFT_REASONS.version} (?<path>.+)\.$`, 's')],
  ['alsoOtherwise', new RegExp(String.raw`^Another place says otherwise: (?<path>.+?)\.${BEFORE_NEXT}`, 's')],
  ['absent', new RegExp(String.raw`^${NAMED}(?<label>.+?)\) is not in the files\.`, 's')],
  ['namedOtherwise', new RegExp(String.raw`^${NAMED}(?<label>.+?): (?<path>[^:]+)\) says otherwise\.`, 's')],
  [
    'elsewhere',
    /^(?<path>(?:(?! has it, but the source that it names \().)+) has it, but the source that it names \((?<label>.+?)\) does not\./s,
  ],
  [
    'similar',
    /^(?<path>(?:(?! has something similar, but the source that it names \().)+) has something similar, but the source that it names \((?<label>.+?)\) does not\./s,
  ],
  [
    'differs',
    new RegExp(
      String.raw`^The file has (?<said>(?:(?! where the sentence has ).){1,500}) where the sentence has (?<what>.{1,500}?)\.?${BEFORE_NEXT}`,
      's',
    ),
  ],
  ['lacking', new RegExp(`^Not in the quotes: ${WHAT}`, 's')],
  ['otherwise', new RegExp(`^The quotes say otherwise: ${WHAT}`, 's')],
  ['maybeOtherwise', new RegExp(`^The quotes may say otherwise: ${WHAT}`, 's')],
  ['saysIt', literal(JUDGE_REASONS.full)],
  ['saysSome', literal(JUDGE_REASONS.partial)],
  ['saysOther', literal(JUDGE_REASONS.contradicted)],
  ['saysNot', literal(JUDGE_REASONS.none)],
] as const;

/** Takes the known sentences from the beginning of a reason. */
export function readReason(reason: string): Reason {
  const known: KnownReason[] = [];
  let rest = reason.trim();
  for (let found = firstIn(rest); found !== undefined; found = firstIn(rest)) {
    known.push(found.known);
    rest = rest.slice(found.length).trim();
  }
  return { known, rest };
}

function firstIn(text: string): { known: KnownReason; length: number } | undefined {
  for (const [name, pattern] of REASONS) {
    const match = pattern.exec(text);
    if (match !== null) return { known: { name, ...match.groups }, length: match[0].length };
  }
  return undefined;
}
