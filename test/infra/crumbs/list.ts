import { resolve } from 'node:path';
import { crumbsOf } from './find.ts';

/**
 * `npx node test/infra/crumbs/list.ts [FOLDER]`: prints the short files of a checkout that belong in their
 * only importer.
 */
const crumbs = crumbsOf(resolve(process.argv[2] ?? `${import.meta.dirname}/../../..`));
for (const { file, lines, importer } of crumbs) process.stdout.write(`${file} (${lines}) → ${importer}\n`);
process.stdout.write(`${crumbs.length} files\n`);
