import { posix } from 'node:path';
import type { Decoded } from '../format.ts';
import { leftOf } from '../left.ts';
import { joinCells, onOneLine } from '../sheets.ts';
import { textLimit } from '../text-limit.ts';
import type { Archive } from './archive.ts';
import { readXml } from './xml.ts';

/** Objects in an OpenDocument file. Charts and formulas are read, and other objects are counted. */
export interface OpenObjects {
  /** Returns the lines of the object to which a link leads. */
  lines(href: string | undefined): string[];
  left(): NonNullable<Decoded['left']>;
}

const CONTENT_OF_OBJECT = /^(?!META-INF|ObjectReplacements)(.+)\/content\.xml$/;
const BINARY_OBJECT = /^Object [^/]+$/;
const PICTURE = /^Pictures\/./;
const MEDIA = /^Media\/./;
const MACRO = /^Basic\/[^/]+\/(?!script-l|dialog-l)[^/]+$/;

export async function readOpenObjects(archive: Archive): Promise<OpenObjects> {
  const names = archive.names();
  const lines = new Map<string, string[]>();
  let unread = names.filter((name) => BINARY_OBJECT.test(name)).length;
  for (const name of names) {
    const [, folder] = CONTENT_OF_OBJECT.exec(name) ?? [];
    if (folder === undefined) continue;
    const found = await readObject(archive, name);
    if (found === undefined) unread++;
    else lines.set(folder, found);
  }
  const number = (form: RegExp) => names.filter((name) => form.test(name)).length;
  return {
    lines: (href = '') => lines.get(posix.normalize(href)) ?? [],
    left: () =>
      leftOf({
        ...{ embedded_objects: unread, images: number(PICTURE), macros: number(MACRO) },
        videos: number(MEDIA),
      }),
  };
}

const READ = new Set(['chart', 'math']);

/** Undefined for an object that is neither a chart nor a formula. */
async function readObject(archive: Archive, entry: string): Promise<string[] | undefined> {
  const count = textLimit(archive.title);
  const lines: string[] = [];
  let isRead = false;
  let cells: string[] | undefined;
  let text = '';
  const add = (line: string) => {
    count(line);
    if (onOneLine(line) !== '') lines.push(onOneLine(line));
  };
  await readXml(archive, entry, {
    skip: new Set(['annotation', 'styles', 'automatic-styles']),
    open(name) {
      isRead ||= READ.has(name);
      if (name === 'table-row') cells = [];
      if (name === 'title' || name === 'table-cell') text = '';
    },
    text(piece) {
      text += piece;
    },
    close(name) {
      if (name === 'title') add(text);
      if (name === 'table-cell') cells?.push(onOneLine(text));
      if (name === 'table-row') add(joinCells(cells ?? []));
      if (name === 'math') add(text);
    },
  });
  return isRead ? lines : undefined;
}
