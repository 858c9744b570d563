export type ReferenceState = 'found' | 'differs' | 'retracted' | 'not_found' | 'not_checked';
type Reason = 'unreadable' | 'no_entry' | 'outside_catalogs' | 'catalog_unavailable';
type Field = 'title' | 'author' | 'year' | 'doi' | 'venue';

/** A checked entry, as far as it is shown. */
interface ShownReference {
  state: ReferenceState;
  reason?: Reason | undefined;
  unavailable: string[];
  record?: { title: string; years: number[] } | undefined;
  differences: { field: Field; own: string; found: string | null }[];
}

/** Entries that their author has to review come first. */
export const REFERENCE_STATES: ReferenceState[] = [
  'retracted',
  'not_found',
  'differs',
  'not_checked',
  'found',
];

interface Words {
  title: string;
  states: Record<ReferenceState, string>;
  fields: Record<Field, string>;
  reasons: Record<Reason, string>;
  unavailable(catalogs: string): string;
  differs(field: string, own: string, found: string): string;
  lacks(field: string, own: string): string;
  record(title: string, years: string): string;
}

/** The words for entries of a reference list, in the console and in everything that is sent or saved. */
export const REFERENCE_WORDS: Record<'en' | 'zh', Words> = {
  en: {
    title: 'Reference list',
    states: {
      found: 'Found',
      differs: 'Differs from the record',
      retracted: 'Retracted',
      not_found: 'Not found',
      not_checked: 'Not checked',
    },
    fields: { title: 'Title', author: 'Authors', year: 'Year', doi: 'DOI', venue: 'Published in' },
    reasons: {
      unreadable: 'Neither a title nor an identifier was recognized.',
      no_entry: 'No bibliography of the workspace has this key.',
      outside_catalogs: 'A web page or a book, which catalogs of papers may lack.',
      catalog_unavailable: 'Not every catalog answered. Check the draft again later.',
    },
    unavailable: (catalogs) => `No answer from ${catalogs}.`,
    differs: (field, own, found) => `${field}: “${own}”, in the record “${found}”.`,
    lacks: (field, own) => `${field}: “${own}”, which the record does not have.`,
    record: (title, years) => `Record: “${title}”${years === '' ? '' : ` (${years})`}.`,
  },
  zh: {
    title: '参考文献',
    states: {
      found: '已找到',
      differs: '与记录不符',
      retracted: '已撤稿',
      not_found: '未找到',
      not_checked: '未核查',
    },
    fields: { title: '题名', author: '作者', year: '年份', doi: 'DOI', venue: '出处' },
    reasons: {
      unreadable: '未识别出题名或标识符。',
      no_entry: '工作区的参考文献库中没有此键。',
      outside_catalogs: '网页或图书，论文目录可能没有收录。',
      catalog_unavailable: '并非所有目录都有响应，请稍后重新核查。',
    },
    unavailable: (catalogs) => `${catalogs} 没有响应。`,
    differs: (field, own, found) => `${field}：“${own}”，记录为“${found}”。`,
    lacks: (field, own) => `${field}：“${own}”，记录中没有。`,
    record: (title, years) => `记录：“${title}”${years === '' ? '' : `（${years}）`}。`,
  },
};

const CATALOGS: Record<string, string> = {
  crossref: 'Crossref',
  hub_a: 'Hugging Face',
  openalex: 'OpenAlex',
  preprint_server: 'arXiv',
  semantic_scholar: 'Semantic Scholar',
};

/** Returns the names of catalogs, as readers know them. */
export function catalogNames(catalogs: string[], language: 'en' | 'zh' = 'en'): string {
  return catalogs
    .map((name) => (Object.hasOwn(CATALOGS, name) ? CATALOGS[name] : name))
    .join(language === 'zh' ? '、' : ', ');
}

/** Returns what was found about an entry, in addition to its state: the differences, the record, and the reason. */
export function wordReference(
  { differences, record, reason, unavailable }: ShownReference,
  language: 'en' | 'zh' = 'en',
): string[] {
  const words = REFERENCE_WORDS[language];
  const catalogs = catalogNames(unavailable, language);
  return [
    ...differences.map(({ field, own, found }) =>
      found === null ? words.lacks(words.fields[field], own) : words.differs(words.fields[field], own, found),
    ),
    ...(record === undefined ? [] : [words.record(record.title, record.years.join(', '))]),
    ...(reason === undefined ? [] : [words.reasons[reason]]),
    ...(catalogs === '' ? [] : [words.unavailable(catalogs)]),
  ];
}

/** Returns how many entries have each state, in words: `Not found: 3 · Found: 50`. */
export function sayReferenceCounts(
  references: Pick<ShownReference, 'state'>[],
  language: 'en' | 'zh' = 'en',
): string {
  return REFERENCE_STATES.map(
    (state) => [state, references.filter((each) => each.state === state).length] as const,
  )
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${REFERENCE_WORDS[language].states[state]}: ${count}`)
    .join(' · ');
}
