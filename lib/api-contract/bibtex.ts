import type { CslItem, CslName } from './csl-item.ts';

const ENTRIES: Partial<Record<CslItem['type'], string>> = {
  ...{ 'article-journal': 'article', book: 'book', chapter: 'incollection' },
  ...{ 'paper-conference': 'inproceedings', report: 'techreport', thesis: 'phdthesis' },
};

const VENUES: Partial<Record<CslItem['type'], string>> = {
  ...{ 'article-journal': 'journal', chapter: 'booktitle', 'paper-conference': 'booktitle' },
};

/** Returns the BibTeX entry of an item in UTF-8. No text in it can end its field. */
export function bibtexEntry(item: CslItem): string {
  const [year, month] = item.issued?.['date-parts'][0] ?? [];
  const fields: [string, string | undefined][] = [
    ['title', `{${escapeTex(item.title)}}`], // double braces, so that no style changes its capitals
    ['author', item.author?.map(showName).join(' and ')],
    [VENUES[item.type] ?? 'howpublished', item['container-title'] && escapeTex(item['container-title'])],
    ['year', year?.toString()],
    ['month', month?.toString()],
    ['doi', verbatim(item.DOI)],
    ['eprint', verbatim(item.number)],
    ['archiveprefix', item.archive],
    ['url', verbatim(item.URL)],
    ['urldate', item.accessed?.['date-parts'][0].map((part) => `${part}`.padStart(2, '0')).join('-')],
    ['note', item.note === undefined ? undefined : escapeTex(item.note)],
  ];
  const lines = fields.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name} = {${value}},`]));
  return `@${ENTRIES[item.type] ?? 'misc'}{${item.id},\n${lines.join('\n')}\n}\n`;
}

/** Adds braces where a BibTeX reader would split the name. */
function showName({ family, given, suffix, literal }: CslName): string {
  if (literal !== undefined) return `{${escapeTex(literal)}}`;
  return [family, suffix, given].flatMap((part) => (part === undefined ? [] : [namePart(part)])).join(', ');
}

function namePart(part: string): string {
  return /\band\b|[,=]/i.test(part) ? `{${escapeTex(part)}}` : escapeTex(part);
}

const TEX: Record<string, string> = {
  '\\': '\\textbackslash{}',
  '{': '\\textbraceleft{}', // BibTeX would count the brace in `\{`
  '}': '\\textbraceright{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
};

function escapeTex(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\{}~^$&%#_]/g, (sign) => TEX[sign] ?? `\\${sign}`);
}

/** Removes only characters that would end the field. For texts that aren't prose. */
function verbatim(text: string | undefined): string | undefined {
  return text?.replace(/[\s{}\\]/g, (sign) => encodeURIComponent(sign));
}
