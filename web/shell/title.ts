import { PRODUCT } from './brand.tsx';

const parts = { view: '', waiting: 0, unread: 0 };

/** The tab's title: how many runs wait for an answer and answers for a reader, then the view. */
export function setTitle(changed: Partial<typeof parts>): void {
  Object.assign(parts, changed);
  const news = parts.waiting + parts.unread;
  const count = news > 0 ? `(${news}) ` : '';
  const names = [parts.view, PRODUCT].filter(Boolean);
  document.title = `${count}${names.join(' · ')}`;
}
