/** Files with rules that exclude others from the index. */
export const RULE_FILES = ['.gitignore', '.wrsignore'];
/** The file that marks a Python virtual environment, which contains packages of other people. */
export const VIRTUAL_ENVIRONMENT = 'pyvenv.cfg';

/** Returns true if a change of this file may add other files to the index, or remove some. */
export function decidesOnOthers(path: string): boolean {
  return [...RULE_FILES, VIRTUAL_ENVIRONMENT].includes(path.slice(path.lastIndexOf('/') + 1));
}
