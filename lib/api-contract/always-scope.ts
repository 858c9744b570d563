/** The scope of a rule that an approval adds ("Always"), which the console describes. */
export type AlwaysScope =
  /** One command line, whatever input, folder, and files it uses. */
  | { scope: 'command' }
  /** A program that can only read, with any arguments. */
  | { scope: 'reader'; program: string }
  /** A program with other arguments, which may do anything. */
  | { scope: 'arguments'; program: string }
  | { scope: 'path' }
  | { scope: 'folder'; folder: string }
  | { scope: 'paths' }
  | { scope: 'call' }
  | { scope: 'calls' };

/** Programs that can't write, delete, or start another program, whatever their arguments. */
const READERS = new Set(
  'basename cat cmp cut dirname du fold grep head jq ls md5sum nl realpath readlink rev sha1sum sha256sum stat tac tail tr wc'.split(
    ' ',
  ),
);
const PATH_TOOLS = new Set(['readFile', 'listDirectory', 'grep', 'writeFile', 'editFile']);

/** Returns whether a program only reads, whatever its arguments. */
export function onlyReads(program: string): boolean {
  return READERS.has(program);
}

export function scopeOfAlways(tool: string, pattern: string): AlwaysScope {
  const isExact = !pattern.includes('*');
  if (tool === 'bash') return isExact ? { scope: 'command' } : scopeOfCommands(pattern);
  if (!PATH_TOOLS.has(tool)) return { scope: isExact ? 'call' : 'calls' };
  const [, folder] = /^([^*]+)\/\*\*$/.exec(pattern) ?? [];
  if (folder !== undefined) return { scope: 'folder', folder };
  return { scope: isExact ? 'path' : 'paths' };
}

function scopeOfCommands(pattern: string): AlwaysScope {
  const [program = ''] = pattern.split(' ');
  return { scope: onlyReads(program) ? 'reader' : 'arguments', program };
}
