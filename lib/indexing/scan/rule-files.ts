/** Files whose lines exclude others from the index. */
export const RULE_FILES = ['.gitignore', '.wrsignore'];
/** The mark of a Python virtual environment: other people's packages. */
export const VIRTUAL_ENVIRONMENT = 'pyvenv.cfg';

/** Whether a change of this file may put any other into the index, or out of it. */
export function decidesOnOthers(path: string): boolean {
  return [...RULE_FILES, VIRTUAL_ENVIRONMENT].includes(path.slice(path.lastIndexOf('/') + 1));
}
