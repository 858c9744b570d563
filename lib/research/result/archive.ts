import { createHash } from 'node:crypto';
import { storeEntries } from '../../formats/office/replace-entries.ts';
import { citedEvidence } from '../extracts/cited-evidence.ts';
import type { Extract } from '../extracts/extract.ts';
import type { Report } from '../schema.ts';
import { toMarkdown } from './markdown.ts';

/**
 * Returns a ZIP file with a report, the passages around its quotes, and a manifest of hashes for `sha256sum -c`, for
 * people without access to the service. The same report produces the same bytes. A quote has no `extract` if its file
 * had changed before the report was finished.
 */
export function toArchive(report: Report, extracts: ReadonlyMap<string, Extract>): Buffer {
  const files = new Map<string, Buffer>();
  const evidence = citedEvidence(report).map((each, at) => {
    const extract = extracts.get(each.id);
    if (extract === undefined) return { ...each, extract: null };
    const { fileHash, text, firstLine, start } = extract;
    const file = `extracts/${at + 1}.txt`;
    files.set(file, Buffer.from(text));
    return { ...each, fileHash, extract: { file, firstLine, start } };
  });
  const cited = { ...report, evidence };
  files.set('report.md', Buffer.from(toMarkdown(cited)));
  files.set('report.json', Buffer.from(`${JSON.stringify(cited, null, 1)}\n`));
  files.set('manifest-sha256.txt', Buffer.from(manifestOf(files)));
  return Buffer.from(storeEntries(files));
}

function manifestOf(files: Map<string, Buffer>): string {
  return [...files].map(([path, content]) => `${sha256(content)}  ${path}\n`).join('');
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
