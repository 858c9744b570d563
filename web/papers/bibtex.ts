import type { Schemas } from '../api/schema.ts';

type Article = Schemas['Article'];

/** Characters with a meaning in BibTeX, which untrusted text may contain. */
const ESCAPED: Record<string, string> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '{': '\\{',
  '}': '\\}',
  '&': '\\&',
  '%': '\\%',
  $: '\\$',
  '#': '\\#',
  _: '\\_',
};

/** An entry for the list of references: nothing in a field can end it. */
export function bibtexOf(article: Article): string {
  const { title, authors, publishedDate, doi, url } = article;
  const fields: [string, string | undefined][] = [
    ['title', braced(plain(title))],
    ['author', authors.map((author) => braced(plain(author))).join(' and ')],
    ['year', publishedDate?.slice(0, 4)],
    ['doi', doi === null ? undefined : verbatim(doi)],
    ['url', verbatim(url)],
  ];
  const lines = fields.flatMap(([name, value]) => (value ? [`  ${name} = {${value}}`] : []));
  return `@misc{${keyOf(article)},\n${lines.join(',\n')}\n}\n`;
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\~^{}&%$#_]/g, (mark) => ESCAPED[mark] ?? mark);
}

/** Kept as it is written: BibTeX would change its capitals, and cut a name with a comma. */
function braced(text: string): string {
  return `{${text}}`;
}

/** An address is not escaped; what could end its field has no place in one. */
function verbatim(text: string): string {
  return text.replace(/[{}\\\s]/g, encodeURIComponent);
}

function keyOf({ title, authors, publishedDate }: Article): string {
  const word = (text: string) =>
    /[\p{L}\p{N}]+/u.exec(text.normalize('NFKD').replace(/\p{M}/gu, ''))?.[0] ?? '';
  const family = word(authors[0]?.trim().split(/\s+/).at(-1) ?? '');
  const first =
    title
      .split(/\s+/)
      .map(word)
      .find((each) => each.length > 3) ?? word(title);
  return `${family}${publishedDate?.slice(0, 4) ?? ''}${first}`.toLowerCase() || 'paper';
}
