export const PRODUCT = 'Workspace Research';

const parts = { view: '', waiting: 0 };

/** The tab's title: how many runs wait for an answer, then the view. */
export function setTitle(changed: Partial<typeof parts>): void {
  Object.assign(parts, changed);
  const count = parts.waiting > 0 ? `(${parts.waiting}) ` : '';
  const names = [parts.view, PRODUCT].filter(Boolean);
  document.title = `${count}${names.join(' · ')}`;
}
