import { fitTo } from './template.ts';

/** What HFS+ leaves out of a name: joiners, marks of direction, the byte order mark. */
const UNSEEN = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;

/**
 * Whether a path leads to a folder of git, or into one, on any file system: git runs the hooks in it and the programs that its
 * settings name. In every spelling that one takes for `.git`: other letters, the short name of NTFS, unseen characters,
 * dots and spaces behind it. What is not known of a name may be what is missing; a glob finds `.git` only where it has the dot.
 */
export function isGitPath(path: string): boolean {
  return path.split(/[/\\]/).some((name) => {
    const plain = name
      .replace(UNSEEN, '')
      .replace(/:.*$/s, '')
      .replace(/(?<![. ])[. ]+$/, '') // from the first of them on: each run is looked at once
      .toLowerCase();
    return (plain.startsWith('.') && fitTo('text', '.git', plain) !== 'no') || /^git~\d+$/.test(plain);
  });
}
