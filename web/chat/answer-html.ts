import type { ListedSource } from '../../lib/api-contract/source-list.ts';

/** The attributes that an answer keeps when it is pasted into a document. */
const KEPT = ['href', 'start', 'colspan', 'rowspan', 'display', 'mathvariant', 'xmlns'];

/** An answer as HTML for the clipboard: what is shown, without looks, its citations as numbers, and the list of its sources. */
export function htmlOfAnswer(shown: HTMLElement, sources: readonly ListedSource[], heading: string): string {
  const copy = shown.cloneNode(true) as HTMLElement;
  for (const link of copy.querySelectorAll<HTMLElement>('[data-source]'))
    link.replaceWith(`[${link.dataset.source?.split('.').at(-1)}]`);
  for (const hidden of copy.querySelectorAll('button, svg, .sr-only, annotation, [data-label]'))
    hidden.remove();
  for (const element of copy.querySelectorAll('*'))
    for (const { name } of [...element.attributes]) if (!KEPT.includes(name)) element.removeAttribute(name);
  if (sources.length > 0) copy.append(...sourceElements(sources, heading));
  return copy.innerHTML;
}

function sourceElements(sources: readonly ListedSource[], heading: string): HTMLElement[] {
  const title = element('p', element('strong', heading));
  const entries = sources.map(({ index, path, where, quote, remark }) => {
    const place = [path, where].filter(Boolean).join(', ');
    const said = quote === '' ? '' : `: “${quote.replace(/\s+/g, ' ')}”`;
    return element('p', `[${index}] ${place}${remark === undefined ? '' : ` (${remark})`}${said}`);
  });
  return [title, ...entries];
}

function element(name: string, ...content: (string | Node)[]): HTMLElement {
  const made = document.createElement(name);
  made.append(...content);
  return made;
}
