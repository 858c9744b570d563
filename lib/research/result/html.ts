import { createHash } from 'node:crypto';
import { partLabel } from '../../api-contract/part-label.ts';
import { separatorAfter } from '../../api-contract/report-places.ts';
import { pathWithLines } from '../../api-contract/shown-place.ts';
import { escapeHtml } from '../../text/escape-html.ts';
import type { Report } from '../schema.ts';
import { type Footnote, type LaidOut, type LaidOutSentence, layOut } from './lay-out.ts';

const STYLE = `:root{color-scheme:light dark;--ink:#1c1c1a;--paper:#fdfcf9;--quiet:#5f5d57;--line:#d9d5cb;--mark:#8a4b00;--wash:#fff4e0;--link:#1d4f91}
@media (prefers-color-scheme:dark){:root{--ink:#e8e5de;--paper:#191918;--quiet:#a5a197;--line:#3b3934;--mark:#ffb35c;--wash:#33260f;--link:#8fb8f0}}
*{box-sizing:border-box}body{margin:0 auto;max-width:42rem;padding:3rem 1.25rem;background:var(--paper);color:var(--ink);font:1.0625rem/1.65 Charter,"Bitstream Charter","Source Serif 4",Georgia,"Songti SC","Noto Serif CJK SC",serif;overflow-wrap:break-word;hanging-punctuation:first}
h1,h2{line-height:1.25;text-wrap:balance;font-family:system-ui,sans-serif}h1{font-size:1.9rem;margin:0 0 .75rem}h2{font-size:1.25rem;margin:2.25rem 0 .5rem}
p{margin:0 0 1rem;text-wrap:pretty}.question{color:var(--quiet);font-style:italic}.counts,footer,.notes{font-size:.9rem;color:var(--quiet)}
a{color:var(--link)}sup{line-height:0}sup a{text-decoration:none;padding:0 .15em}
mark{background:var(--wash);color:inherit;border-bottom:2px solid var(--mark)}.reason{color:var(--mark);font-size:.9em}
blockquote{margin:.4rem 0 .4rem;padding-left:.9rem;border-left:3px solid var(--line);color:var(--ink);white-space:pre-wrap}
li{margin-bottom:.6rem}li:target{background:var(--wash)}code{font-size:.9em}hr{border:0;border-top:1px solid var(--line);margin:2.5rem 0}
@media print{body{max-width:none;padding:0;font-size:10.5pt;background:#fff;color:#000}a{color:inherit}h2{break-after:avoid}li,blockquote{break-inside:avoid}.back{display:none}}`;

/** The page contains no script, loads nothing, and sends nothing. The hash allows its only style. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

/** Returns a report as one self-contained page. All external text is escaped. */
export function toHtml(report: Report): string {
  const laidOut = layOut(report);
  const { language, title, question, day, counts, sections, footnotes, words } = laidOut;
  const firstUses = new Set<number>();
  const show = (sentence: LaidOutSentence) => showSentence(sentence, firstUses);
  const body = [
    `<header><h1>${escapeHtml(title)}</h1>`,
    question === undefined ? '' : `<p class="question">${escapeHtml(question)}</p>`,
    `<p class="counts"><time datetime="${escapeHtml(day)}">${escapeHtml(day)}</time> · ${escapeHtml(counts)}</p></header>`,
    ...sections.map(
      ({ heading, paragraphs }) =>
        `<section><h2>${escapeHtml(heading)}</h2>${paragraphs.map((one) => `<p>${one.map(show).join(words.space)}</p>`).join('')}</section>`,
    ),
    listed(
      words.disagree,
      laidOut.disagreements.map((pair) => pair.map(show).join(` — ${words.saysOtherwise} — `)),
    ),
    listed(words.openQuestions, laidOut.openQuestions.map(escapeHtml)),
    showNotes(footnotes, laidOut),
    listed(
      words.sources,
      laidOut.sources.map(
        ({ text, url, separator, details }) => linked(text, url) + separator + escapeHtml(details),
      ),
    ),
    listed(
      words.leftOut,
      laidOut.leftOut.map(({ title: name, url, reason }) => `${linked(name, url)}: ${escapeHtml(reason)}`),
    ),
  ].join('\n');
  return `<!doctype html>
<html lang="${escapeHtml(language)}"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main>
${body}
</main></body></html>
`;
}

function showSentence({ text, notes, mark }: LaidOutSentence, firstUses: Set<number>): string {
  const shown = escapeHtml(text.trim());
  const markers = notes.map((number) => showMarker(number, firstUses)).join('');
  if (mark === undefined) return shown + markers;
  return `<mark>${shown}</mark>${markers} <strong class="reason">⚠ ${escapeHtml(mark)}</strong>`;
}

/** The footnote links back to the first marker with its number. */
function showMarker(number: number, firstUses: Set<number>): string {
  const id = firstUses.has(number) ? '' : ` id="use-${number}"`;
  firstUses.add(number);
  return `<sup><a${id} href="#note-${number}" role="doc-noteref" aria-describedby="quotes">${number}</a></sup>`;
}

function listed(heading: string, items: string[]): string {
  if (items.length === 0) return '';
  return `<section><h2>${heading}</h2><ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul></section>`;
}

function showNotes(footnotes: Footnote[], { words }: LaidOut): string {
  if (footnotes.length === 0) return '';
  const notes = footnotes.map((note) => showNote(note, words)).join('\n');
  return `<hr><section class="notes" role="doc-endnotes"><h2 id="quotes">${words.quotes}</h2><ol>\n${notes}\n</ol></section>`;
}

function showNote({ number, evidence, source, url, address }: Footnote, words: LaidOut['words']): string {
  const { quote, verified } = evidence;
  const title = source === undefined ? '' : linked(source, url) + separatorAfter(source);
  const code = `<code>${escapeHtml(pathWithLines(evidence))}</code>`;
  const place = address === undefined ? code : `<a href="${escapeHtml(address)}">${code}</a>`;
  const where = [place, escapeHtml(partLabel(evidence))].filter(Boolean).join(', ');
  const found = verified ? '' : ` (${words.notFound})`;
  return `<li id="note-${number}" value="${number}">${title}${where}${found}<blockquote><bdi>${escapeHtml(quote)}</bdi></blockquote><a class="back" href="#use-${number}" role="doc-backlink" aria-label="${words.back} (${number})">↩</a></li>`;
}

function linked(text: string, url: string | undefined): string {
  if (url === undefined) return escapeHtml(text);
  return `<a href="${escapeHtml(url)}" rel="noopener noreferrer nofollow">${escapeHtml(text)}</a>`;
}
