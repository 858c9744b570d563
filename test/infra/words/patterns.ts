import type { Place } from './texts.ts';

/** A phrase that readers don't expect, with the standard term. `examples` match, `counterexamples` don't. */
export interface Pattern {
  name: string;
  /** `never`: no match is right. `fewer`: some matches are right, so their number may only fall. */
  group: 'never' | 'fewer';
  /** The places in which it is refused; all by default. */
  places?: Place[];
  find: RegExp;
  use: string;
  examples: string[];
  counterexamples: string[];
}

const POSTURE = 'in|on|there|here|at|before|behind|beside|below|above|between|inside|outside|under|where';
const PERIOD =
  'line|file|folder|page|call|message|request|query|run|task|record|queue|workspace|person|second|minute|hour|day|week|month|year';
const NOUN =
  '(?!(?:that|which|who|how|when|where|while|if|within|without|becomes?|answers?|names?|repeats|of|in|to|for|from|at|by|with|than|as|and|or|is|on|like|into|about|after|before|per|has|makes?|takes?|gives?)\\b)\\w+';

export const PATTERNS: Pattern[] = [
  {
    name: 'anew',
    group: 'never',
    find: /\banew\b/gi,
    use: 'again, re-',
    examples: ['It is read anew.'],
    counterexamples: ['a new one'],
  },
  {
    name: 'mend',
    group: 'never',
    find: /\bmend(?:s|ed|ing)?\b/gi,
    use: 'fix, repair',
    examples: ['mends what it can'],
    counterexamples: ['recommended', 'amend the commit'],
  },
  {
    name: 'at the most',
    group: 'never',
    find: /\bat the most\b/gi,
    use: 'at most',
    examples: ['ten at the most'],
    counterexamples: ['at most ten'],
  },
  {
    name: 'calls of the model',
    group: 'never',
    find: /\bcalls? of (?:the |a )?models?\b/gi,
    use: 'model call',
    examples: ['each call of a model', 'calls of models'],
    counterexamples: ['model calls'],
  },
  {
    name: 'your word',
    group: 'never',
    find: /\b(?:your|person['’]s|people['’]s|administrator['’]s|somebody['’]s) word\b/gi,
    use: 'approval',
    examples: ['waits for your word', 'without a person’s word'],
    counterexamples: ['in your words'],
  },
  {
    name: 'the usual one',
    group: 'never',
    find: /\b(?:the|its) usual (?:one|model)\b|\bUsual model\b/gi,
    use: 'default',
    examples: ['the usual one', 'Usual model'],
    counterexamples: ['the usual rules'],
  },
  {
    name: 'storeys, doors, the house',
    group: 'never',
    find: /\bstoreys?\b|\bdoors?\b|\bthe house\b/gi,
    use: 'layer, entry point, architecture',
    examples: ['on each storey', 'the doors wait', 'The house'],
    counterexamples: ['indoors', 'a story'],
  },
  {
    name: 'deed',
    group: 'never',
    find: /\bdeeds?\b/gi,
    use: 'action',
    examples: ['before the deed'],
    counterexamples: ['indeed'],
  },
  {
    name: 'errand',
    group: 'never',
    find: /\berrands?\b/gi,
    use: 'unattended run',
    examples: ['an errand'],
    counterexamples: ['errant'],
  },
  {
    name: 'leaves it away, gone for good',
    group: 'never',
    find: /\b(?:leaves?|left|leaving) (?:it |them )?away\b|\bgone for good\b/gi,
    use: 'omit, disable; permanently deleted',
    examples: ['leaves it away', 'gone for good'],
    counterexamples: ['leaves it'],
  },
  {
    name: 'behind the answer',
    group: 'never',
    find: /\bbehind (?:its|the|an) (?:first )?answers?\b/gi,
    use: 'after the response',
    examples: ['works behind the answer'],
    counterexamples: ['the sources behind it'],
  },
  {
    name: 'what came of it',
    group: 'never',
    find: /\bwhat (?:comes|came) of (?:it|this|them|that)\b/gi,
    use: 'result, outcome',
    examples: ['what came of it is kept'],
    counterexamples: ['what comes first'],
  },
  {
    name: 'goes on',
    group: 'fewer',
    find: /\bgo(?:es)? on with\b|\bgoes on\b|\bgoing on with\b|\bwent on\b/gi,
    use: 'continue, resume',
    examples: ['the run goes on'],
    counterexamples: ['going on holiday'],
  },
  {
    name: 'lies in',
    group: 'fewer',
    find: new RegExp(`\\b(?:lies?|lay) (?:${POSTURE})\\b`, 'gi'),
    use: 'is in, is stored in',
    examples: ['what lies in it'],
    counterexamples: ['it relies on it', 'lay out'],
  },
  {
    name: 'stands in',
    group: 'fewer',
    find: new RegExp(`\\b(?:stands?|stood) (?:${POSTURE})\\b`, 'gi'),
    use: 'is in, appears in; is checked against',
    examples: ['what stands there'],
    counterexamples: ['stands for', 'understands in part'],
  },
  {
    name: 'generic he',
    group: 'fewer',
    find: /\b(?:he|his|him|himself)\b/gi,
    use: 'they, you',
    examples: ['what he may do'],
    counterexamples: ['the history', 'himalaya'],
  },
  {
    name: 'generic persons',
    group: 'fewer',
    find: /\b(?:whoever|somebody|everybody|nobody)\b/gi,
    use: 'you, users, callers',
    examples: ['Whoever asks'],
    counterexamples: ['who asks'],
  },
  {
    name: 'Who… as a subject',
    group: 'fewer',
    find: /(?:^|[.:!] )Who(?= [a-z])(?![^.]*\?)/g,
    use: 'users who, callers that',
    examples: ['Who asks again waits.', 'It ends. Who listens is told.'],
    counterexamples: ['Who is it?', 'the one who asks'],
  },
  {
    name: 'read in',
    group: 'fewer',
    find: /\bread(?:s|ing)? (?:(?:it|them|all|everything|(?:the )?files) )?in\b(?! (?:the|an?|one|many|bulk|batches|ranges|place|vain|addition|order|full|parts|pieces|their|its|which|every|each|lib|both|two|this|all|time|front|from|at)\b)/gi,
    use: 'index',
    examples: ['What lies there is read in.', 'Read in again', 'reads the files in'],
    counterexamples: ['read in the folder', 'it is read in bulk', 'read in place'],
  },
  {
    name: 'any more',
    group: 'fewer',
    find: /\b(?:not|no|never|cannot|nothing|nobody|none|nor|\w+n['’]t)\b[^.;:]{0,80}?\bany ?more\b/gi,
    use: 'no longer',
    examples: ['has not the role any more', 'cannot be read any more'],
    counterexamples: ['if there are any more files'],
  },
  {
    name: 'under way',
    group: 'fewer',
    find: /\bunder way\b/gi,
    use: 'in progress, running',
    examples: ['is under way'],
    counterexamples: ['under a path'],
  },
  {
    name: 'is told, says so',
    group: 'fewer',
    find: /\b(?:is|are|be|was|were|been|being|gets?) told\b|\bsa(?:ys|id) so\b/gi,
    use: 'reports, is notified',
    examples: ['the user is told', 'says so'],
    counterexamples: ['it tells the user'],
  },
  {
    name: 'room for a page',
    group: 'fewer',
    find: /\brooms\b|\b(?:a|the|each|this|that|its|another|every) room\b(?! (?:for|in|on|of|to|that is left)\b)/gi,
    use: 'page',
    examples: ['the rooms of the workspace', 'in another room'],
    counterexamples: ['no room on the disk', 'the room in a folder'],
  },
  {
    name: 'a for per',
    group: 'fewer',
    find: new RegExp(
      `\\b(?:one|once|twice|an? ${NOUN}|\\d(?:[\\d,.]*\\d)?) (?:${NOUN} ){0,2}a (?:${PERIOD})\\b`,
      'gi',
    ),
    use: 'per, each',
    examples: ['a stat a file', 'one commit a workspace', '60 a minute'],
    counterexamples: ['a part of a file', 'one in each file'],
  },
  {
    name: 'vendor letters',
    group: 'fewer',
    find: /\b(?:hub|platform) [AB]\b|\bprovider [ABCabc]\b/g,
    use: 'Hugging Face, ModelScope, Feishu, WeCom, OpenAI-compatible, Anthropic, Gemini',
    examples: ['hub B has no spaces', 'provider a took too long'],
    counterexamples: ['a hub', 'PROVIDER_A_API_KEY'],
  },
  {
    name: 'an Of… or What… clause alone',
    group: 'fewer',
    find: /^(?:Of [^.,;?!]*|What [^.,:;?!]*)\.$/g,
    use: 'a sentence with a verb, or a noun phrase: The size of one run; The current state of the path',
    examples: ['Of one run.', 'Of a hash: the paths that had it.', 'What the path has now.'],
    counterexamples: [
      'What happened',
      'What is it? Nothing.',
      'The size of one run.',
      'Of 96 pedestrians, 41 found it.',
      'Of no use. Removed.',
    ],
  },
  {
    name: 'So is…, so does…',
    group: 'fewer',
    find: /(?:^|[.:;!] )[Ss]o (?:is|are|was|were|do|does|did|has|have|can|could|may|must|should|will|would) (?=(?:an?|the|this|that|these|those|its?|their|they|each|every|all|any|no|what|who|one)\b)/g,
    use: 'also, too: A row of a table also counts',
    examples: ['It counts. So is a row of a table.', 'it is removed; so does the index'],
    counterexamples: ['They have no number, so do not cite them.', 'So the row counts.', 'It isn’t so.'],
  },
  {
    name: 'a blank',
    group: 'fewer',
    find: /\bblanks\b(?! (?:out|an?|the|its|stretches)\b)|\b(?:an?|the|one|each|any|no|its|without|after|before) blank(?=$|[.,:;)]| (?:and|or|in|of|is|at|before|after|between|by)\b)/gi,
    use: 'space, white space',
    examples: ['in brackets, after a blank: [1]', 'words with blanks around them', 'no blank.'],
    counterexamples: ['a blank line', 'blanks out the number', 'must not be blank', 'one blank page'],
  },
  {
    name: 'a Whether… or How… clause alone',
    group: 'fewer',
    places: ['comments', 'test titles'],
    find: /^(?:Whether|How (?:much|many|far|long|often|a|an|the)) [^.,:;?!]*\.$/g,
    use: 'a verb or a noun phrase: True if it is kept; The number of files',
    examples: ['Whether it is kept.', 'How many files it has.'],
    counterexamples: [
      'Returns whether it is kept.',
      'How many files does it have?',
      'True if it is kept.',
      'Whether it is kept, the copy stays.',
    ],
  },
  {
    name: 'none without its noun',
    group: 'fewer',
    find: /\b(?:has|have|had|gives?|returns?|finds?|needs?|gets?|creates?|makes?|adds?|and|but|for|where) none(?=[.,;:)]|$)/gi,
    use: 'no and its noun: creates no folder; undefined if there is no label',
    examples: ['It has none.', 'one job, and none', 'returns none, then stops', 'empty for none'],
    counterexamples: ['has none of them', 'the value `none`', 'undefined if there is none'],
  },
];
