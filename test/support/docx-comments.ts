import { Parser } from 'htmlparser2';
import yauzl from 'yauzl';

/** Returns the unpacked entries of a zip file, by name. Throws if two entries have the same name. */
export async function readEntries(bytes: Uint8Array): Promise<Map<string, Buffer>> {
  const zip = await yauzl.fromBufferPromise(Buffer.from(bytes), { lazyEntries: true });
  const entries = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    if (entries.has(entry.fileName)) throw new Error(`two entries ${entry.fileName}`);
    const pieces = await Array.fromAsync(await zip.openReadStreamPromise(entry));
    entries.set(entry.fileName, Buffer.concat(pieces as Buffer[]));
  }
  return entries;
}

/** Returns the XML without the elements that comments with these IDs insert, if nothing else has changed. */
export function withoutAnchors(source: string, ids: number[]): string {
  const id = `w:id="(?:${ids.join('|')})"`;
  const declared = '(?: xmlns:w="[^"]*")?';
  return source.replace(
    new RegExp(
      `<w:commentRange(?:Start|End)${declared} ${id}/>|<w:r${declared}><w:commentReference ${id}/></w:r>`,
      'g',
    ),
    '',
  );
}

export function decodeXml(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding = first === 0xff ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
}

export interface CommentRange {
  /** The visible text between its start and its end. */
  text: string;
  /** The names of the elements that contain its start, its end, and its reference. */
  parents: { start: string; end: string; reference: string };
  footnotes: string[];
  /** True if it starts or ends in a field, whose update would remove it. */
  isInField: boolean;
}

/** Parses the XML independently, element by element. Throws if a comment starts twice, or has no end. */
export function readRanges(source: string): Map<number, CommentRange> {
  const reader = rangeReader();
  const parser = new Parser(
    {
      onopentag: (name, attributes) => reader.open(withoutPrefix(name), attributes),
      ontext: reader.text,
      onclosetag: reader.close,
    },
    { xmlMode: true },
  );
  parser.end(source);
  return reader.finish();
}

function withoutPrefix(name: string): string {
  return name.replace(/^.*:/, '');
}

function rangeReader() {
  const ranges = new Map<number, CommentRange>();
  const open = new Set<CommentRange>();
  const path: string[] = [];
  /** For each open run. */
  const hidden: boolean[] = [];
  let fields = 0;
  const actions: Record<string, (id: string, isOff: boolean) => void> = {
    commentRangeStart(id) {
      if (ranges.has(Number(id))) throw new Error(`comment ${id} starts twice`);
      const parents = { start: path.at(-1) ?? '', end: '', reference: '' };
      const range = { text: '', parents, footnotes: [], isInField: fields > 0 };
      ranges.set(Number(id), range);
      open.add(range);
    },
    commentRangeEnd(id) {
      const range = ranges.get(Number(id));
      if (range === undefined) throw new Error(`comment ${id} has no start`);
      range.parents.end = path.at(-1) ?? '';
      range.isInField ||= fields > 0;
      open.delete(range);
    },
    commentReference(id) {
      const range = ranges.get(Number(id));
      if (range !== undefined) range.parents.reference = path.at(-2) ?? '';
    },
    footnoteReference(id) {
      for (const { footnotes } of open) footnotes.push(id);
    },
    r: () => hidden.push(false),
    vanish(_, isOff) {
      if (!isOff && path.includes('r')) hidden.splice(-1, 1, true);
    },
  };
  return {
    open(name: string, attributes: Record<string, string>) {
      const id = Object.entries(attributes).find(([key]) => withoutPrefix(key) === 'id')?.[1] ?? '';
      const change = Object.values(attributes).find((value) => value === 'begin' || value === 'end');
      if (name === 'fldChar' && change !== undefined) fields += change === 'begin' ? 1 : -1;
      actions[name]?.(id, Object.values(attributes).includes('false'));
      path.push(name);
    },
    text(text: string) {
      if (path.at(-1) !== 't' || path.includes('Fallback') || hidden.at(-1)) return;
      for (const each of open) each.text += text;
    },
    close() {
      if (path.pop() === 'r') hidden.pop();
    },
    finish() {
      if (path.length > 0 || open.size > 0) throw new Error('an element or a comment has no end');
      return ranges;
    },
  };
}
