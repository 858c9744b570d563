import { fitTo } from './template.ts';

/** Characters that HFS+ ignores in a name: joiners, bidirectional controls, the byte order mark. */
const UNSEEN = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;

/**
 * Returns whether a path leads to a git folder, or into one, on any file system: git runs the hooks in it and
 * the programs that its settings name. Recognizes every spelling of `.git`: upper case, the short name of
 * NTFS, invisible characters, trailing dots and spaces. An unknown part of a name may be any missing part; a
 * glob matches `.git` only if it contains the dot.
 */
export function isGitPath(path: string): boolean {
  return path.split(/[/\\]/).some((name) => {
    const plain = name
      .replace(UNSEEN, '')
      .replace(/:.*$/s, '')
      // Starts at the first of these characters, so that each sequence is read once.
      .replace(/(?<![. ])[. ]+$/, '')
      .toLowerCase();
    return (plain.startsWith('.') && fitTo('text', '.git', plain) !== 'no') || /^git~\d+$/.test(plain);
  });
}
