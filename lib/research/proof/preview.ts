import { escapeHtml } from '../result/html.ts';
import type { Report } from '../schema.ts';
import { FILE } from './schema.ts';

/** Returns the page that viewers of RO-Crates show. It contains no script, and loads nothing. */
export function previewOf({ title, language, question }: Report, runId: string, paths: string[]): string {
  const items = paths.map((path) => `<li><a href="${escapeHtml(path)}">${escapeHtml(path)}</a></li>`);
  return `<!doctype html>
<html lang="${escapeHtml(language)}"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer"><title>${escapeHtml(title)}</title></head>
<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(question)}</p>
<div lang="en"><p>A research report with the quotes that its sentences cite (<a href="${FILE.metadata}">RO-Crate metadata</a>). Run ${escapeHtml(runId)}.</p>
<p>To verify it, run <code>wrs verify-report</code> with the zip file. <code>sha256sum -c ${FILE.manifest}</code> compares the files of the unpacked folder, and <code>sha256sum ${FILE.manifest}</code> prints the root hash.</p>
<ul>
${items.join('\n')}
</ul></div></main></body></html>
`;
}
