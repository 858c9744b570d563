import { ownValue } from '../../text/own-value.ts';
import { HOLE, isKnown } from '../template.ts';
import { wordSet } from './word-set.ts';

/** Options before the git command: those with a separate value, and those without. */
const GIT_VALUE = wordSet('-C --git-dir --work-tree --namespace');
const GIT_FLAG =
  /^(-p|-P|--paginate|--no-pager|--no-replace-objects|--literal-pathspecs|--no-optional-locks|--(git-dir|work-tree|namespace)=.*)$/;
/**
 * Known commands. Anything else may be an alias, which a file defines. `push` runs the hooks of a folder that it pushes
 * to.
 */
const GIT_PLAIN = wordSet(`
  add am annotate apply archive blame branch bundle cat-file check-attr check-ignore checkout cherry cherry-pick clean clone
  commit count-objects describe diff diff-index diff-tree fetch format-patch fsck gc grep help init log ls-files ls-remote
  ls-tree merge merge-base mv name-rev notes pull range-diff reflog remote reset restore rev-list rev-parse revert rm
  shortlog show show-ref sparse-checkout stash status switch symbolic-ref tag version whatchanged worktree --version --help
`);
/**
 * Matches options of any git command that start another program or run code. For URLs, these are schemes that
 * git itself doesn't support.
 */
const GIT_STARTING = /^--ext|^-O|::|(?<![\w+.-])(?!(https?|ssh|git|file):\/\/)[\w+.-]+:\/\//;
/**
 * The same options per git command. A long option is matched by its shortest unambiguous prefix, a letter
 * also in a cluster.
 */
const STARTING: Record<string, RegExp> = {
  archive: /^--e/,
  clone: /^--(u|t|co)|^-[^-]*[uc]/,
  fetch: /^--up/,
  grep: /^--op|^-[^-]*O/,
  init: /^--t/,
  'ls-remote': /^--(u|exe)/,
  merge: /^--str|^-[^-]*s/,
  pull: /^--(up|str)|^-[^-]*s/,
  revert: /^--str/,
  'cherry-pick': /^--str/,
};

/** Returns the git command and its arguments, without the options before it; undefined if these weren't understood. */
export function gitCommand(args: string[]): string[] | undefined {
  let at = 0;
  while (args[at]?.startsWith('-')) {
    const option = args[at] ?? '';
    if (GIT_PLAIN.has(option)) break;
    if (GIT_VALUE.has(option) && isKnown(args[at + 1] ?? HOLE)) at += 2;
    else if (GIT_FLAG.test(option) && isKnown(option)) at += 1;
    else return undefined;
  }
  return args.slice(at);
}

export function isOpaqueGit(args: string[]): boolean {
  const [command, ...rest] = gitCommand(args) ?? [];
  if (command === undefined) return args.length > 0;
  if (!GIT_PLAIN.has(command) || namesOtherFolder(args.slice(0, args.length - rest.length - 1))) return true;
  return rest.some(
    (text) => !isKnown(text) || GIT_STARTING.test(text) || STARTING[command]?.test(text) === true,
  );
}

/**
 * Returns whether `--git-dir` names a folder that isn't called `.git`, because its settings decide which
 * programs git starts.
 */
function namesOtherFolder(before: string[]): boolean {
  return before.some(
    (text, at) => (text.startsWith('--git-dir=') || before[at - 1] === '--git-dir') && !OWN_FOLDER.test(text),
  );
}

/** Commands that change nothing in the repository or its files. */
const GIT_READING = wordSet(`
  annotate blame cat-file check-attr check-ignore check-mailmap check-ref-format cherry count-objects describe diff diff-files
  diff-index diff-tree for-each-ref fsck grep help log ls-files ls-remote ls-tree merge-base name-rev range-diff rev-list
  rev-parse shortlog show show-branch show-ref status var verify-commit verify-pack verify-tag version whatchanged --version
  --help
`);
const OUTPUT = /^--outp[a-z]*/;
const OWN_FOLDER = /^(?:--git-dir=)?(?:.*\/)?\.git\/?$/s;

/** Returns the words of a git command that may be, or contain, paths that it writes to. */
export function pathsGitWrites(args: string[]): string[] {
  const [command = '', ...rest] = gitCommand(args) ?? [];
  if (GIT_READING.has(command))
    return rest.filter((text, at) => OUTPUT.test(text) || OUTPUT.test(rest[at - 1] ?? ''));
  if (changesSettings(command, rest) || args.some((text) => /templatedir/i.test(text)))
    return [...args, '.git'];
  const makesFolder = !GIT_PLAIN.has(command) || command === 'init' || command === 'clone';
  if (makesFolder) return args;
  const before = args.slice(0, args.length - rest.length - 1);
  // Options that name another repository, because no rule covers the effects of a commit there.
  const others = before.filter(
    (text, at) => !(OWN_FOLDER.test(text) && (text.startsWith('--') || before[at - 1] === '--git-dir')),
  );
  return [...others, ...rest];
}

/**
 * Options that set the initial settings and hooks of a new repository; an existing repository gets a template's hooks
 * too.
 */
const FIRST_SETTINGS: Record<string, RegExp> = {
  init: /^--(se|t)/,
  clone: /^--(se|t|co)|^-[lnqsv46]*c/,
};
/** Matches commands that read settings, or set a value that is text rather than a program. */
const PLAIN_CONFIG =
  /^((--(local|global|system|show-origin|show-scope|name-only) )*(-l|--list|list|(--get(-all|-regexp)?|get) \S+( \S+)?)|(--(local|global|replace-all) )*(set )?(user\.(name|email)|init\.defaultbranch)(?! --)( .*)?)$/is;

/** Returns whether a command writes the repository's settings, or puts its folder in an unexpected location. */
function changesSettings(command: string, rest: string[]): boolean {
  const first = ownValue(FIRST_SETTINGS, command);
  if (first !== undefined) return rest.some((text) => first.test(text));
  return command === 'config' && !PLAIN_CONFIG.test(rest.join(' '));
}
