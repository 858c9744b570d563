import { deflateRawSync } from 'node:zlib';
import { storeEntries } from '../../lib/formats/office/replace-entries.ts';
import { digest } from '../../lib/research/proof/digest.ts';
import { manifestOf, packProof } from '../../lib/research/proof/make-proof.ts';
import { readProof } from '../../lib/research/proof/read-proof.ts';
import { FILE } from '../../lib/research/proof/schema.ts';

type Files = Map<string, Buffer>;
type Random = () => number;

/** A change of a proof, by its kind. All but the first four pack the changed contents in the form that the service writes. */
type Tamper = (bytes: Buffer, files: Files, random: Random) => Buffer;

const pick = <One>(all: One[], random: Random): One => all[Math.floor(random() * all.length)] as One;
const pack = (files: Files) => Buffer.from(packProof(files));

/** Changes one byte of one file. */
function changeByte(files: Files, path: string, random: Random): void {
  const content = Buffer.from(files.get(path) ?? '');
  const at = Math.floor(random() * content.length);
  content[at] = ((content[at] ?? 0) + 1 + Math.floor(random() * 255)) % 256;
  files.set(path, content);
}

function withManifest(files: Files): Files {
  const payload = new Map(files);
  payload.delete(FILE.manifest);
  payload.delete(FILE.root);
  return new Map(files).set(FILE.manifest, Buffer.from(manifestOf(payload)));
}

/** With all hashes that the file itself has of its manifest. */
function withRoot(files: Files): Files {
  const made = withManifest(files);
  return made.set(FILE.root, Buffer.from(`${digest(made.get(FILE.manifest) ?? '')}\n`));
}

interface Quote {
  id: string;
  quote: string;
  quoteSha256: string;
}

/** Edits the JSON of a file. */
function edit<Value>(files: Files, path: string, change: (value: Value) => void): Files {
  const value = JSON.parse(String(files.get(path))) as Value;
  change(value);
  return new Map(files).set(path, Buffer.from(`${JSON.stringify(value, null, 1)}\n`));
}

function otherNumber(text: string, random: Random): string {
  const other = text.replace(/\d/, (digit) => `${(Number(digit) + 1 + Math.floor(random() * 8)) % 10}`);
  return other === text ? `${text} 7` : other;
}

interface Sentences {
  sections: { paragraphs: { text: string; evidence: string[]; state: string }[][] }[];
  counts: Record<string, number>;
}

const sentencesOf = (report: Sentences) => report.sections.flatMap(({ paragraphs }) => paragraphs.flat());

export const TAMPERINGS: Record<string, Tamper> = {
  'a flipped bit of the ZIP file': (bytes, _files, random) => {
    const changed = Buffer.from(bytes);
    const at = Math.floor(random() * bytes.length);
    changed[at] = (changed[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    return changed;
  },
  'a truncated ZIP file': (bytes, _files, random) => bytes.subarray(0, Math.floor(random() * bytes.length)),
  'bytes before, in, or after the ZIP file': (bytes, _files, random) => {
    const at = pick([0, bytes.length, Math.floor(random() * bytes.length)], random);
    const added = Buffer.from(Array.from({ length: 1 + Math.floor(random() * 40) }, () => random() * 256));
    return Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at)]);
  },
  'a comment of the ZIP file': (bytes, _files, random) => {
    const comment = Buffer.from('x'.repeat(1 + Math.floor(random() * 20)));
    const changed = Buffer.concat([bytes, comment]);
    changed.writeUInt16LE(comment.length, bytes.length - 2);
    return changed;
  },
  'a changed byte of a file': (_bytes, files, random) => {
    changeByte(files, pick([...files.keys()], random), random);
    return pack(files);
  },
  'a changed file with its line of the manifest': (_bytes, files, random) => {
    changeByte(
      files,
      pick(
        [...files.keys()].filter((path) => path !== FILE.manifest),
        random,
      ),
      random,
    );
    const changed = withManifest(files);
    return pack(changed);
  },
  'a changed file with all hashes of the manifest': (_bytes, files, random) => {
    const paths = [...files.keys()].filter(
      (path) => ![FILE.manifest, FILE.root, FILE.metadata].includes(path as never),
    );
    changeByte(files, pick(paths, random), random);
    return pack(withRoot(files));
  },
  'a compressed entry with a changed byte': (_bytes, files, random) => {
    const path = pick([...files.keys()], random);
    const packed = deflateRawSync(files.get(path) ?? '');
    packed[Math.floor(random() * packed.length)] = Math.floor(random() * 256);
    return pack(files.set(path, packed));
  },
  'a removed entry': (_bytes, files, random) => {
    files.delete(pick([...files.keys()], random));
    return pack(pick([files, withManifest(files), withRoot(files)], random));
  },
  'an added entry': (_bytes, files, random) => {
    files.set(
      pick(['extra.txt', 'extracts/0.txt', 'extracts/999.txt', 'data/x.json'], random),
      Buffer.from('x'),
    );
    return pack(pick([files, withManifest(files), withRoot(files)], random));
  },
  'a renamed entry': (_bytes, files, random) => {
    const path = pick([...files.keys()], random);
    const content = files.get(path) ?? Buffer.alloc(0);
    files.delete(path);
    return pack(pick([files.set(`${path}x`, content), withRoot(files.set(`${path}x`, content))], random));
  },
  'two swapped entries': (_bytes, files, random) => {
    const paths = [...files.keys()].filter((path) => path !== FILE.manifest);
    const [one, other] = [pick(paths, random), pick(paths, random)];
    if (one === other || files.get(one)?.equals(files.get(other) ?? Buffer.alloc(0)))
      files.set('swapped', Buffer.from('x'));
    const [first, second] = [files.get(one), files.get(other)];
    if (first && second) files.set(one, second).set(other, first);
    return pack(pick([files, withManifest(files)], random));
  },
  'a changed quote with its hash': (_bytes, files, random) => {
    const changed = edit<{ quotes: Quote[] }>(files, FILE.quotes, ({ quotes }) => {
      const quote = pick(quotes, random);
      quote.quote = otherNumber(quote.quote, random);
      quote.quoteSha256 = digest(quote.quote);
    });
    return pack(pick([changed, withManifest(changed), withRoot(changed)], random));
  },
  'a changed number of a sentence': (_bytes, files, random) => {
    const changed = edit<Sentences>(files, FILE.report, (report) => {
      const sentence = pick(sentencesOf(report), random);
      sentence.text = otherNumber(sentence.text, random);
    });
    return pack(pick([changed, withManifest(changed), withRoot(changed)], random));
  },
  'changed counts': (_bytes, files, random) => {
    const changed = edit<Sentences>(files, FILE.report, ({ counts }) => {
      const name = pick(Object.keys(counts), random);
      counts[name] = (counts[name] ?? 0) + 1 + Math.floor(random() * 5);
    });
    return pack(pick([changed, withManifest(changed), withRoot(changed)], random));
  },
  'a sentence with other quotes': (_bytes, files, random) => {
    const changed = edit<Sentences>(files, FILE.report, (report) => {
      const sentence = pick(
        sentencesOf(report).filter(({ evidence }) => evidence.length > 0),
        random,
      );
      const added = pick(
        ['e99', ...sentencesOf(report).flatMap(({ evidence }) => evidence)].filter(
          (id) => !sentence.evidence.includes(id),
        ),
        random,
      );
      sentence.evidence = [added];
    });
    return pack(pick([changed, withManifest(changed), withRoot(changed)], random));
  },
  'changed metadata': (_bytes, files, random) => {
    const changed = edit<{ '@graph': Record<string, unknown>[] }>(
      files,
      FILE.metadata,
      ({ '@graph': graph }) => {
        const entity = pick(graph, random);
        entity[pick(Object.keys(entity), random)] = `x${Math.floor(random() * 1e6)}`;
      },
    );
    return pack(pick([changed, withManifest(changed)], random));
  },
  'another order of entries': (_bytes, files, random) => {
    const order = [...files]
      .map((entry) => ({ entry, at: random() }))
      .sort((one, other) => one.at - other.at);
    return Buffer.from(storeEntries(new Map(order.map(({ entry }) => entry))));
  },
};

/** With the metadata and all hashes made again, as a forger can. */
export function sealAgain(files: Files): Buffer {
  const sealed = edit<{ '@graph': Record<string, unknown>[] }>(
    files,
    FILE.metadata,
    ({ '@graph': graph }) => {
      const own: string[] = [FILE.metadata, FILE.manifest, FILE.root];
      for (const [path, content] of files) {
        if (own.includes(path)) continue;
        const known = graph.find((entity) => entity['@id'] === path);
        const entity = known ?? { '@id': path, '@type': 'File', name: path };
        Object.assign(entity, { contentSize: `${content.length}`, sha256: digest(content) });
        if (known === undefined) graph.push(entity);
      }
      const parts = graph
        .filter((entity) => entity['@type'] === 'File')
        .map((entity) => ({ '@id': entity['@id'] }));
      Object.assign(graph.find((entity) => entity['@id'] === './') ?? {}, { hasPart: parts });
    },
  );
  return pack(withRoot(sealed));
}

/** Returns a tampered proof; undefined if the change left it as it was. */
export async function tamper(proof: Buffer, kind: string, random: Random): Promise<Buffer | undefined> {
  const files = await readProof(proof);
  const tampered = TAMPERINGS[kind]?.(proof, files, random);
  return tampered === undefined || tampered.equals(proof) ? undefined : tampered;
}
