import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';

const root = resolve(import.meta.dirname, '..');
const FOLDER = 'docs/adr';
const STATUSES = ['proposed', 'accepted', 'rejected', 'deprecated', 'superseded'];
const SECTIONS = ['Context', 'Decision', 'Consequences'];
/** A longer record contains more than one decision, or measurements that belong in the benchmarks. */
const MAX_LINES = 45;

/** An architecture decision record: its file name and its text. */
export interface AdrFile {
  name: string;
  text: string;
}

/** Reads the numbered records of docs/adr, in order. */
export function readAdrFiles(): AdrFile[] {
  const names = globSync('[0-9]*.md', { cwd: join(root, FOLDER) }).sort();
  return names.map((name) => ({ name, text: readFileSync(join(root, FOLDER, name), 'utf8') }));
}

/**
 * Returns the text of docs/adr/README.md. `npm run adr` writes the file after a record is added or changed; a
 * test compares them.
 */
export function adrIndex(files: AdrFile[]): string {
  const rows = files.map((file) => {
    const { status, date, area, 'amended-by': amendedBy } = frontOf(file);
    const state = amendedBy === undefined ? status : `${status}, amended by ${amendedBy}`;
    return `| ${numberOf(file)} | [${titleOf(file)}](${file.name}) | ${area} | ${state} | ${date} |`;
  });
  return `# Architecture decision records

Why the service is built the way it is, one decision per record. For contributors who ask "why?" before they change something.
Records have the [MADR](https://adr.github.io/madr/) headings. To add one, copy an existing record, take the next number, and run
\`npm run adr\`, which writes this page. Don't edit it.

| No. | Decision | Area | Status | Date |
|---|---|---|---|---|
${rows.join('\n')}
`;
}

export function adrIndexPath(): string {
  return join(root, FOLDER, 'README.md');
}

/** Returns the problems of the records, one per line. */
export function adrFaults(files: AdrFile[]): string[] {
  const gaps = files.flatMap((file, place) =>
    numberOf(file) === numbered(place + 1) ? [] : [`${file.name}: expected number ${numbered(place + 1)}`],
  );
  const statuses = new Map(files.map((file) => [numberOf(file), frontOf(file).status]));
  return [...gaps, ...files.flatMap((file) => faultsOf(file, statuses))];
}

function faultsOf(file: AdrFile, statuses: Map<string, unknown>): string[] {
  const { status, date, area, supersedes, 'amended-by': amendedBy } = frontOf(file);
  const sections = [...file.text.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  const checks: [boolean, string][] = [
    [STATUSES.includes(String(status)), `status must be one of ${STATUSES.join(', ')}`],
    [/^\d{4}-\d{2}-\d{2}$/.test(String(date)), 'date must be a day such as 2026-11-22'],
    [/^[a-z-]+$/.test(String(area ?? '')), 'area must be a word in lower case'],
    [
      supersedes === undefined || statuses.get(String(supersedes)) === 'superseded',
      'supersedes must be the number of a superseded record, in quotation marks',
    ],
    [
      amendedBy === undefined || statuses.has(String(amendedBy)),
      'amended-by must be the number of a record, in quotation marks',
    ],
    [file.name === `${numberOf(file)}-${slugOf(titleOf(file))}.md`, 'the file name must follow the title'],
    [sections.join() === SECTIONS.join(), `the headings must be ${SECTIONS.join(', ')}`],
    [file.text.split('\n').length <= MAX_LINES, `must have at most ${MAX_LINES} lines`],
  ];
  return checks.filter(([holds]) => !holds).map(([, fault]) => `${file.name}: ${fault}`);
}

/** Returns the fields of the front matter; empty if the record has no front matter. */
function frontOf({ text }: AdrFile): Record<string, unknown> {
  const [, front = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
  return { ...(front && (load(front, { schema: CORE_SCHEMA }) as Record<string, unknown>)) };
}

function titleOf({ text }: AdrFile): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? '';
}

function numberOf({ name }: AdrFile): string {
  return basename(name).slice(0, 4);
}

function numbered(place: number): string {
  return String(place).padStart(4, '0');
}

function slugOf(title: string): string {
  const words = title.toLowerCase().replace(/['`]/g, '');
  return words.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}

if (import.meta.main) writeFileSync(adrIndexPath(), adrIndex(readAdrFiles()));
