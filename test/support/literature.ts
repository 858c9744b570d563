import { Document, Packer, Paragraph } from 'docx';
import { parseName } from '../../lib/api-contract/csl-item.ts';
import type { FakePaper, FakePapers } from './fakes/fake-papers.ts';
import { type FakeZotero, zoteroKey } from './fakes/fake-zotero.ts';
import { makePdf } from './samples/pdf.ts';

const TOPICS =
  'Nocturnal foraging ranges|Vocal individuality|Nest box occupancy|Diet composition|Winter survival|Juvenile dispersal|Molt schedules|Territory overlap|Parasite loads|Acoustic prey detection'.split(
    '|',
  );
const BIRDS =
  'barn owls|tawny owls|snowy owls|pygmy owls|scops owls|eagle owls|marsh owls|hawk owls|screech owls|burrowing owls|nightjars|potoos|frogmouths|goshawks|kestrels|merlins|ospreys|harriers|buzzards|kites'.split(
    '|',
  );
const PLACES = 'rice fields|boreal forests|city parks|reed beds|alpine valleys|river deltas|orchards'.split(
  '|',
);
const FAMILIES =
  'Abelsund|Brightwater|Castellan|Drummore|Eskelin|Farrowby|Grimaldo|Hartlepool|Iversen|Jankowiak|Kessling|Lindholm|Marchetti|Nyberg|Okonedo|Petrescu|Quarshie|Rosenvold|Szabados|Thibault'.split(
    '|',
  );
const GIVEN = 'Ann|Ben|Chloe|Dmitri|Elena|Farid|Greta'.split('|');
const JOURNALS = [
  'Journal of Raptor Ecology',
  'Annals of Field Ornithology',
  'Birds and Habitats',
  'Night Biology Letters',
];

/** An invented work. */
export interface Work {
  title: string;
  authors: string[];
  year: number;
  journal: string;
  doi?: string;
}

const at = <Of>(all: Of[], place: number) => all[place % all.length] as Of;

/** Returns invented works, whose titles share many words. Every fifth has no DOI. */
export function makeWorks(count: number): Work[] {
  return Array.from({ length: count }, (_, n) => ({
    title: `${at(TOPICS, n)} of ${at(BIRDS, Math.floor(n / TOPICS.length))} in ${at(PLACES, n * 3)}`,
    authors: Array.from(
      { length: 1 + (n % 3) },
      (_, more) => `${at(GIVEN, n + more)} ${at(FAMILIES, n * 7 + more)}`,
    ),
    year: 1995 + (n % 28),
    journal: at(JOURNALS, n),
    ...(n % 5 !== 4 && { doi: `10.5555/owl.${n}` }),
  }));
}

const INVENTED: Work[] = [
  ['Magnetic compass use of kakapos in cloud forests', 'Ora Quillfeather', 2019],
  ['Tidal calendars and the sleep of lapwings', 'Ivo Saltmarsh', 2021],
  ['Do ravens count? A registered report', 'Una Blackthorn', 2016],
].map(([title, author, year], n) => ({
  ...{ title: String(title), authors: [String(author)], year: Number(year) },
  ...{ journal: at(JOURNALS, n), doi: `10.5555/none.${n}` },
}));

/** The numbers of the entries with a planted error, and what must be found. */
export const PLANTED: Record<number, string> = {
  ...{ 5: 'not_found', 17: 'not_found', 23: 'not_found' },
  ...{ 31: 'differs year', 42: 'differs year' },
  ...{ 8: 'differs doi', 52: 'differs doi' },
  38: 'retracted',
  ...{ 12: 'differs title', 27: 'differs title' },
};

/** Returns 60 entries of a reference list, ten of which have an error. */
export function plantErrors(works: Work[]): Work[] {
  const invented = [...INVENTED];
  return works.slice(0, 60).map((work, n) => {
    if (PLANTED[n] === 'not_found') return invented.shift() as Work;
    if (PLANTED[n] === 'differs year') return { ...work, year: work.year + 4 };
    if (PLANTED[n] === 'differs doi')
      return { ...work, doi: n === 8 ? '10.5555/owl.9999' : (works[53]?.doi ?? '') };
    if (PLANTED[n] === 'differs title')
      return { ...work, title: work.title.replace(/ in .*/, ' under street lamps') };
    return work;
  });
}

/** Fills the catalogs with the works. */
export function catalogue(fake: FakePapers, works: Work[]): void {
  const papers = works.map(
    ({ title, authors, year, journal, doi }, n): FakePaper => ({
      ...{ title, authors, published: `${year}-03-01T00:00:00Z`, venue: journal },
      ...(doi !== undefined && { doi }),
      ...(PLANTED[n] === 'retracted' && { isRetracted: true }),
    }),
  );
  fake.papers.openalex = papers;
  fake.papers.semantic_scholar = papers;
  fake.papers.crossref = papers.filter(({ doi }) => doi !== undefined);
}

/** Fills a Zotero library with the works, each with a PDF that states six facts. */
export function fillWithWorks(fake: FakeZotero, works: Work[]): void {
  fake.putCollection('C0000000', 'Night birds');
  for (const [n, { title, authors, year, journal, doi }] of works.entries()) {
    const creators = authors.map((name) => {
      const { given, family } = parseName(name);
      return { creatorType: 'author', firstName: given, lastName: family };
    });
    fake.putItem(zoteroKey('P', n), {
      ...{ itemType: 'journalArticle', title, date: `${year}`, publicationTitle: journal, creators },
      ...{ DOI: doi ?? '', tags: [{ tag: journal }], collections: ['C0000000'] },
    });
    const lines = [`File ${n}`, ...COLUMNS.map(({ name }) => `${name}: ${statedValue(n, name)}`)];
    const file = { parentItem: zoteroKey('P', n), filename: `${fileName(n)}.pdf` };
    fake.putFile(zoteroKey('F', n), file, makePdf([lines.join(') Tj 0 -20 Td (')]));
  }
}

/** Returns a name that says nothing, as downloads have. */
export function fileName(n: number): string {
  return `fulltext-${String(n).padStart(3, '0')}`;
}

export const COLUMNS = ['Nests', 'Nights', 'Weight', 'Prey', 'Method', 'Region'].map((name) => ({
  ...{ name, question: name, type: 'text' },
}));

export function statedValue(n: number, column: string): string {
  return `${column.toLowerCase()} ${n * 3 + column.length}`;
}

/** Returns an entry in APA style. */
export function inApa({ title, authors, year, journal, doi }: Work): string {
  const names = authors.map((name) => {
    const { given = '', family = '' } = parseName(name);
    return `${family}, ${given.slice(0, 1)}.`;
  });
  const [last, ...others] = names.reverse();
  const all = others.length === 0 ? last : `${others.reverse().join(', ')}, & ${last}`;
  const link = doi === undefined ? '' : ` https://doi.org/${doi}`;
  return `${all} (${year}). ${title}. ${journal}, 12(3), 45–67.${link}`;
}

export function inBibtex(work: Work, n: number): string {
  const { title, authors, year, journal, doi } = work;
  const link = doi === undefined ? '' : `,\n  doi = {${doi}}`;
  return `@article{w${n},\n  title = {{${title}}},\n  author = {${authors.join(' and ')}},\n  year = ${year},\n  journal = {${journal}}${link}\n}\n`;
}

export function inRis({ title, authors, year, journal, doi }: Work, n: number): string {
  const names = authors.map((name) => {
    const { given, family } = parseName(name);
    return `AU  - ${family}, ${given}`;
  });
  const fields = [
    'TY  - JOUR',
    `ID  - r${n}`,
    `TI  - ${title}`,
    ...names,
    `PY  - ${year}/03/01`,
    `JO  - ${journal}`,
  ];
  return [...fields, ...(doi === undefined ? [] : [`DO  - ${doi}`]), 'ER  - ', ''].join('\r\n');
}

/** Returns a Word document with a paragraph per text. */
export async function inDocx(paragraphs: string[]): Promise<Buffer> {
  const children = paragraphs.map((text) => new Paragraph({ text }));
  return Packer.toBuffer(new Document({ sections: [{ children }] }));
}
