import { createHash } from 'node:crypto';
import type { SourceFacts, SourceFile, SourceObject } from '../../ports/file-source.ts';
import { doiOf } from '../../text/paper-identifiers.ts';
import { parseObject, type ZoteroData } from './objects.ts';

/** Levels of collections. A cycle ends there, too. */
const MAX_LEVELS = 10;

type Library = Map<string, ZoteroData>;

/** Returns the attachments and notes of a library, in the folders of their collections. */
export function filesOfLibrary(objects: SourceObject[], webUrl: string): SourceFile[] {
  const library: Library = new Map(objects.map((object) => [object.key, parseObject(object)]));
  return [...library].flatMap(([key, data]) => {
    const parent = data.parentItem === undefined ? undefined : library.get(data.parentItem);
    if (isTrashed(data, library)) return [];
    const facts = factsOf(parent ?? data, `${webUrl}/items/${data.parentItem ?? key}`);
    const place = { id: key, folders: foldersOf(parent ?? data, library) };
    if (data.itemType === 'attachment') return attachmentOf(data, { ...place, facts });
    if (data.itemType === 'note') return noteOf(data, { ...place, facts });
    return [];
  });
}

type Placed = Pick<SourceFile, 'id' | 'folders' | 'facts'>;

/** Returns whether an item or its parent is in the library's trash. An unknown parent is no reason. */
function isTrashed({ deleted, parentItem = '' }: ZoteroData, library: Library): boolean {
  return deleted === true || library.get(parentItem)?.deleted === true;
}

/** A linked file is only on the person's own computer, and a saved web page is an archive of several files. */
function attachmentOf(data: ZoteroData, placed: Placed): SourceFile[] {
  const { linkMode, filename = data.title ?? placed.id, contentType, md5 } = data;
  if (linkMode !== 'imported_file' && linkMode !== 'imported_url') return [];
  const isPage = linkMode === 'imported_url' && contentType === 'text/html';
  const problem = isPage ? 'kind' : md5 === undefined ? 'missing' : undefined;
  return [{ ...placed, name: filename, version: md5 ?? '', md5, problem }];
}

function noteOf({ note }: ZoteroData, placed: Placed): SourceFile[] {
  const text = note ?? '';
  if (text === '' && note !== null) return [];
  const heading = text.split('\n', 1)[0]?.replace(/^[#>\s*-]+|[*`~]/g, '') ?? '';
  const title = heading.slice(0, 80).trim() || 'Note';
  const version = createHash('md5').update(text).digest('hex');
  const facts = { ...placed.facts, title, doi: undefined };
  return [
    { ...placed, name: `${title}.md`, version, text, facts, ...(note === null && { problem: 'size' }) },
  ];
}

/** Returns the path of the first collection, in alphabetical order, because each file is stored once. */
function foldersOf({ collections = [] }: ZoteroData, library: Library): string[] {
  const paths = collections.map((key) => pathOf(key, library)).filter((path) => path.length > 0);
  return paths.sort((one, other) => (one.join('/') < other.join('/') ? -1 : 1))[0] ?? [];
}

function pathOf(key: string, library: Library): string[] {
  const path: string[] = [];
  for (let at: string | undefined = key; at !== undefined && path.length < MAX_LEVELS; ) {
    const { name, parentCollection, deleted }: ZoteroData = library.get(at) ?? {};
    if (name === undefined || deleted === true) return [];
    path.unshift(name);
    at = parentCollection;
  }
  return path;
}

/** Creators of a work come in all roles; the authors are the first ones. */
function factsOf({ title, creators = [], date, DOI, tags = [] }: ZoteroData, url: string): SourceFacts {
  const year = Number(/(?<!\d)[12]\d{3}(?!\d)/.exec(date ?? '')?.[0]);
  return {
    url,
    ...(title !== undefined && { title }),
    authors: creators.map(({ firstName, lastName, name }) =>
      [firstName, lastName ?? name].filter(Boolean).join(' '),
    ),
    ...(!Number.isNaN(year) && { year }),
    ...(doiOf(DOI ?? null) !== null && { doi: doiOf(DOI ?? null) ?? undefined }),
    tags: tags.map(({ tag }) => tag),
  };
}
