/** Defined in the build of the package that users install (infra/pack/pack.ts), and nowhere else. */
declare const INSTALLED_PACKAGE: true | undefined;

/** True in the installed package, false in a clone of the repository, and on AWS. */
export const isInstalled = typeof INSTALLED_PACKAGE !== 'undefined';

/** Returns the command of an operator, such as `embedder install`: a command of `wrs`, or in a clone a script of npm. */
export function operatorCommand(words: string, installed = isInstalled): string {
  if (installed) return `wrs ${words}`;
  const [script, ...args] = words.split(' ');
  return `npm run ${script}${args.length === 0 ? '' : ` -- ${args.join(' ')}`}`;
}
