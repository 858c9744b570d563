import { ownValue } from '../../text/own-value.ts';
import type { Archive } from './archive.ts';
import { withoutPageNumber } from './running-text.ts';
import { readXml } from './xml.ts';

/** Headers and footers of a page; left and first pages have separate elements. */
const RUNNING = /^(header|footer)(?:-left|-first)?$/;
/** Fields that differ by page, sheet, or day. */
const CHANGING = new Set(['page-number', 'page-count', 'sheet-name', 'date', 'time']);
const UNREAD = new Set(['tracked-changes', 'annotation', 'title', 'desc']);
const MARKS: Partial<Record<string, string>> = { s: ' ', tab: ' ', 'line-break': ' ' };

/** Returns the headers and footers of an OpenDocument file, each paragraph once, without page numbers. */
export async function readOpenRunning(archive: Archive): Promise<string[]> {
  const found = new Set<string>();
  let label: string | undefined;
  let text = '';
  let hadNumber = false;
  let inField = false;
  const finish = () => {
    const plain = text.replace(/\s+/g, ' ').trim();
    const said = hadNumber ? withoutPageNumber(plain) : plain;
    if (/[\p{L}\p{N}]/u.test(said)) found.add(`${label}: ${said}`);
  };
  await readXml(archive, 'styles.xml', {
    skip: UNREAD,
    open(name, { display }) {
      const [, kind] = RUNNING.exec(name) ?? [];
      if (kind !== undefined && display !== 'false') label = kind === 'header' ? 'Header' : 'Footer';
      inField = CHANGING.has(name);
      hadNumber ||= inField;
      if (name === 'p' || name === 'h') [text, hadNumber] = ['', false];
      text += ownValue(MARKS, name) ?? '';
    },
    text(piece) {
      if (!inField) text += piece;
    },
    close(name) {
      inField = false;
      if ((name === 'p' || name === 'h') && label !== undefined) finish();
      if (RUNNING.test(name)) label = undefined;
    },
  });
  return [...found];
}
