// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are parts of our sources

/** A regular expression that recheck calls vulnerable, or can't judge, and that was reviewed. */
export interface Reviewed {
  file: string;
  /** The start of its pattern. */
  begins: string;
  /** The reason that it takes little time: usually a limit of the text, and where the limit is set. */
  reason: string;
}

const FACTS =
  'reads a sentence or quote of at most 5,000 characters (MAX_LENGTH in lib/support/rules/facts.ts)';

export const REVIEWED: Reviewed[] = [
  {
    file: 'lib/api-contract/sentences.ts',
    begins: '(?<![\\p{L}\\p{N}])(?<before>',
    reason: 'reads at most 400 characters (MAX_LOOK_BACK there)',
  },
  {
    file: 'lib/support/rules/names.ts',
    begins: '“([^”]{2,200})”',
    reason: `at most 200 characters from each place; ${FACTS}`,
  },
  {
    file: 'lib/support/rules/names.ts',
    begins: "(?<!['’.&+#@-])(?:['’]s?",
    reason: `a word of what ${FACTS}`,
  },
  { file: 'lib/support/rules/facts.ts', begins: '(?<![\\p{L}\\d])(?:(?!(?:USD', reason: FACTS },
  {
    file: 'lib/formats/office/dates.ts',
    begins: '"[^"]*"|\\\\.|_.',
    reason: 'reads a number format of at most 1,000 characters (MAX_CODE there)',
  },
  {
    file: 'lib/adapters/feishu/markdown.ts',
    begins: '!(\\[[^\\]]{0,300}',
    reason:
      'at most 2,300 characters from each place, in a card of at most 28,000 (MAX_CARD_BYTES in card.ts)',
  },
  {
    file: 'lib/adapters/ripgrep/text-search.ts',
    begins: 'error parsing glob ',
    reason: "reads at most 4,000 characters of ripgrep's errors (MAX_PROBLEM in process.ts)",
  },
  {
    file: 'lib/formats/shown-asciidoc.ts',
    begins: '\\[\\[[^\\]\\n]*',
    reason:
      'matches wherever it begins to read to the end of a line; else at most 200 characters from each place',
  },
  {
    file: 'lib/formats/shown-latex.ts',
    begins: '\\*?\\s*(?:\\{',
    reason: 'tried once behind a command: blanks, and at most 140 characters more',
  },
  {
    file: 'infra/docs-pages.ts',
    begins: '\\s*--[\\w-]+: url',
    reason: "reads web/theme.css, which is the product's own, when the docs are built",
  },
  {
    file: 'lib/retrieval/cite/terms.ts',
    begins: '(?<unspaced>[\\p{Script=Han}',
    reason:
      'recheck does not know the flag v; each of its alternatives has one run, and a number ends at its last digit',
  },
  {
    file: 'lib/retrieval/cite/quoted-words.ts',
    begins: "(?<![\\p{L}\\p{N}])'(?=\\S)",
    reason:
      'at most 1,000 characters from each place, in a sentence of an answer (MAX_AROUND in cited-sentences.ts)',
  },
  {
    file: 'lib/retrieval/cite/quoted-words.ts',
    begins: '\\[(?<added>[^\\]]{0,100})',
    reason: 'at most 100 characters from each place',
  },
  {
    file: 'lib/support/rules/opposites.ts',
    begins: '(?<![\\p{L}\\p{N}-])(?:before|prior to',
    reason: `a word from each place; ${FACTS}`,
  },
  {
    file: 'lib/support/rules/quantifiers.ts',
    begins: '(?<w0>(?<![\\p{L}\\p{M}-])(?:not (?:all',
    reason: `alternatives without repetition; ${FACTS}`,
  },
  { file: 'lib/support/rules/names.ts', begins: '\\s\\([^)]*\\)', reason: FACTS },
  {
    file: 'lib/verify/work/named-sources.ts',
    begins: '["“”«「《]([^"“”»」》]{8,300})',
    reason: 'at most 300 characters from each place',
  },
  {
    file: 'lib/support/rules/sets-aside.ts',
    begins: '(?<!\\p{L})(?:withdr',
    reason: 'reads at most 1,000 characters (REACH there)',
  },
  {
    file: 'lib/support/rules/sets-aside.ts',
    begins: '(?<!\\p{L})(?:if|unless|provided',
    reason: 'reads at most 1,000 characters (REACH there)',
  },
  {
    file: 'lib/verify/work/claim-text.ts',
    begins: '!?\\[([^\\]\\n]{1,500})',
    reason: 'reads a sentence of at most 2,000 characters (MAX_CLAIM there)',
  },
  {
    file: 'lib/verify/work/claim-text.ts',
    begins: '(?<!\\s)\\s*[(（](?:(?:see(?: also)?|cf\\.|e\\.g',
    reason: 'reads a sentence of at most 2,000 characters (MAX_CLAIM there)',
  },
];

/** Calls of `new RegExp` with an argument. A pattern for some argument is checked instead. */
export interface ReviewedCall {
  file: string;
  /** The start of the call in the source. */
  begins: string;
  samples: RegExp[];
  reason: string;
}

export const REVIEWED_CALLS: ReviewedCall[] = [
  {
    file: 'lib/api-contract/rule-table.ts',
    begins: 'new RegExp(`^${tool.split(',
    samples: [],
    reason: "reads the names of the product's own tools, which have at most 20 characters",
  },
  {
    file: 'lib/retrieval/cite/quoted-words.ts',
    begins: "new RegExp(patterns.join('|')",
    samples: [],
    reason:
      'three pairs of words, with at most 12 signs, tags, or entities of at most 102 characters between them',
  },
  {
    file: 'lib/bots/feishu/text.ts',
    begins: 'new RegExp(mentions.map(',
    samples: [/@_user_1|@_all/g],
    reason: 'alternatives of escaped text, without repetition',
  },
  {
    file: 'lib/quotations/checks/find-quote.ts',
    begins: "new RegExp(words.join('\\\\s+')",
    samples: [/owls\s+sleep\s+by\s+day/g],
    reason: 'escaped words of a quote of at most 400 characters, with white space between them alone',
  },
  {
    file: 'infra/docs-pages.ts',
    begins: 'new RegExp(`^ *${name}: ',
    samples: [],
    reason: "reads a diagram of the product's own pages, when the docs are built",
  },
  {
    file: 'lib/support/rules/rivals.ts',
    begins: 'new RegExp(`\\\\b(?:${OTHER_RANKS})',
    samples: [
      /\b(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d*(?:2nd|3rd|\dth)|last|final)\sowl/iu,
    ],
    reason: `the argument is letters only; ${FACTS}`,
  },
  {
    file: 'lib/support/rules/rivals.ts',
    begins: 'new RegExp(`\\\\b${word}\\\\b`',
    samples: [/\bdozens\b/iu],
    reason: 'the argument is one of six words',
  },
  {
    file: 'lib/formats/rtf.ts',
    begins: 'new RegExp(TOKEN)',
    samples: [],
    reason: 'a copy of a literal, which is checked',
  },
  {
    file: 'lib/formats/shown-latex.ts',
    begins: 'new RegExp(TOKEN)',
    samples: [],
    reason: 'a copy of a literal, which is checked',
  },
  {
    file: 'lib/adapters/process/group-use.ts',
    begins: 'new RegExp(`^${name}: +',
    samples: [/^Pss: +(\d+) kB$/m],
    reason: 'the argument is one of two names',
  },
  {
    file: 'lib/http/path-table.ts',
    begins: 'new RegExp(`^${source',
    samples: [
      /^\/api\/workspaces\/(?<workspaceId>[^/]+)\/mcp-servers\/(?<name>[^/]+)\/tools$/,
      /^\/api\/(?<proxy>.+)$/,
    ],
    reason: 'the argument is a path of our own routes: no two parameters without a slash between them',
  },
  {
    file: 'lib/support/rules/states-fact.ts',
    begins: 'new RegExp(`(?<!\\\\p{L})${word}',
    samples: [/(?<!\p{L})owls(?!\p{L})/u],
    reason: 'the argument is letters, marks and digits only',
  },
  {
    file: 'infra/local/authorize.ts',
    begins: 'new RegExp(`^${source}$`',
    samples: [/^arn:aws:execute-api:.*\/local\/.*$/s],
    reason: 'the argument is what our own authorizer allows, the text an ARN with a path of a request head',
  },
  {
    file: 'web/files/quote-marks.ts',
    begins: "new RegExp(words.join('\\\\s+'))",
    samples: [/owls\s+are\s+birds/],
    reason:
      'words without blanks, escaped, at most 400: each place of the text is tried once, to word 400 at most',
  },
  {
    file: 'web/search/found-words.ts',
    begins: 'new RegExp(`(${words',
    samples: [/((?<![\p{L}\p{N}])owls\p{L}*|(?<![\p{L}\p{N}])bird\p{L}*)/giu],
    reason: 'letters and digits only, at most 40 words',
  },
];
