import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const MODULE = 'lib/skills/built-in-texts.ts';

/**
 * Returns the module with skills/<slug>/SKILL.md for the functions. It is a module because Node, Jest, and both
 * bundlers read one in the same way. `npm run skills` writes it after a change; a test compares.
 */
export function builtInModule(): string {
  const files = globSync('skills/*/SKILL.md', { cwd: root }).sort();
  const texts = files.map((file) => `  \`${escapeText(readFileSync(join(root, file), 'utf8'))}\`,\n`);
  return `/** The files of skills/, written by infra/built-in-skills.ts; change them in skills/. */
export const BUILT_IN_TEXTS = [
${texts.join('')}];
`;
}

export function builtInModulePath(): string {
  return join(root, MODULE);
}

function escapeText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${');
}

if (import.meta.main) writeFileSync(builtInModulePath(), builtInModule());
