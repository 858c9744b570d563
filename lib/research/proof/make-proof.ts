import { storeEntries } from '../../formats/office/replace-entries.ts';
import { escapeHtml } from '../result/html.ts';
import { toMarkdown } from '../result/markdown.ts';
import type { Report } from '../schema.ts';
import { citedEvidence, citingSentences, footnoteNumbers } from './cited-evidence.ts';
import { digest } from './digest.ts';
import { metadataOf } from './metadata.ts';
import { FILE, PROOF_VERSION, type ProofMaterial, type ProofQuote } from './schema.ts';

export interface Proof {
  bytes: Uint8Array;
  /** Identifies all of its files. */
  rootHash: string;
}

/** Makes the proof of a report: an RO-Crate, with a manifest of its files. The same report makes the same bytes. */
export function makeProof(stored: ProofMaterial): Proof {
  const material = { ...stored, report: { ...stored.report, evidence: citedEvidence(stored.report) } };
  const { quotes, extracts } = quotesOf(material);
  const files = new Map([...extracts, ...payloadOf(material, quotes)]);
  const { report, run } = material;
  files.set(FILE.preview, previewOf(report, run.id, files.keys()));
  const metadata = metadataOf(material, quotes, new Map(sorted(files)));
  files.set(FILE.metadata, json(metadata));
  const manifest = manifestOf(files);
  const rootHash = digest(manifest);
  files.set(FILE.manifest, Buffer.from(manifest));
  files.set(FILE.root, Buffer.from(`${rootHash}\n`));
  return { bytes: packProof(files), rootHash };
}

/** Returns the one zip file that contains these files. */
export function packProof(files: Map<string, Uint8Array>): Uint8Array {
  return storeEntries(new Map(sorted(files)));
}

/** Returns the lines that `sha256sum -c` reads. */
export function manifestOf(files: Map<string, Uint8Array>): string {
  return sorted(files)
    .map(([path, content]) => `${digest(content)}  ${path}\n`)
    .join('');
}

export function sorted<Value>(files: Map<string, Value>): [string, Value][] {
  return [...files].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** The one form that the JSON of a proof has. */
export function json(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 1)}\n`);
}

function payloadOf(material: ProofMaterial, quotes: ProofQuote[]): [string, Buffer][] {
  const { run, plan, calls, totals, report } = material;
  const { evidence: _, ...rest } = report;
  const version = PROOF_VERSION;
  return [
    [FILE.text, Buffer.from(toMarkdown(report))],
    [FILE.report, json({ version, runId: run.id, ...rest })],
    [FILE.quotes, json({ version, quotes })],
    [FILE.plan, json({ version, ...plan })],
    [FILE.calls, json({ version, calls, totals })],
  ];
}

function quotesOf({ report, extracts }: ProofMaterial) {
  const numberOf = footnoteNumbers(report);
  const citing = citingSentences(report);
  const files = new Map<string, Buffer>();
  const quotes = report.evidence.map((evidence, at): ProofQuote => {
    const quote = evidence.quote.toWellFormed();
    const extract = extracts.get(evidence.id);
    const file = `extracts/${at + 1}.txt`;
    if (extract !== undefined) files.set(file, Buffer.from(extract.text));
    return {
      ...{ ...evidence, quote, footnote: numberOf(evidence), sentences: citing.get(evidence.id) ?? [] },
      ...{ quoteSha256: digest(quote), fileSha256: extract?.fileHash ?? null },
      extract: extract
        ? { file, sha256: digest(extract.text), firstLine: extract.firstLine, start: extract.start }
        : null,
    };
  });
  return { quotes, extracts: files };
}

/** Returns the page that viewers of RO-Crates show. It contains no script, and loads nothing. */
export function previewOf(
  { title, language, question }: Report,
  runId: string,
  payload: Iterable<string>,
): Buffer {
  const paths = [...payload, FILE.manifest, FILE.root].toSorted();
  const items = paths.map((path) => `<li><a href="${escapeHtml(path)}">${escapeHtml(path)}</a></li>`);
  const page = `<!doctype html>
<html lang="${escapeHtml(language)}"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer"><title>${escapeHtml(title)}</title></head>
<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(question)}</p>
<div lang="en"><p>A research report with the quotes that its sentences cite (<a href="${FILE.metadata}">RO-Crate metadata</a>). Run ${escapeHtml(runId)}.</p>
<p>To verify it, run <code>wrs verify-report</code> with the zip file. <code>sha256sum -c ${FILE.manifest}</code> compares the files of the unpacked folder, and <code>sha256sum ${FILE.manifest}</code> prints the root hash.</p>
<ul>
${items.join('\n')}
</ul></div></main></body></html>
`;
  return Buffer.from(page);
}
