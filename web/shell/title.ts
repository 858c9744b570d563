import { PRODUCT } from './brand.tsx';

const parts = { view: '', waiting: 0, unread: 0 };

/** Sets the tab's title: the numbers of waiting runs and unread answers, then the view. */
export function setTitle(changed: Partial<typeof parts>): void {
  Object.assign(parts, changed);
  const news = parts.waiting + parts.unread;
  const count = news > 0 ? `(${news}) ` : '';
  const names = [parts.view, PRODUCT].filter(Boolean);
  document.title = `${count}${names.join(' · ')}`;
}
