import { pastedGitUrl } from '../../lib/api-contract/pasted.ts';

/** Returns the default folder name for a clone of this URL; empty if the URL has none. */
export function folderOf(url: string): string {
  const path = URL.parse(pastedGitUrl(url))?.pathname ?? '';
  const last = path.split('/').findLast((part) => part !== '') ?? '';
  return last
    .replace(/\.git$/, '')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[.-]+/, '');
}
