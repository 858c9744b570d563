/** What a clone of this address is usually called; empty where the address says nothing of the kind. */
export function folderOf(url: string): string {
  const path = URL.parse(url.trim())?.pathname ?? '';
  const last = path.split('/').findLast((part) => part !== '') ?? '';
  return last
    .replace(/\.git$/, '')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[.-]+/, '');
}
