import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { openApiText } from './openapi.ts';

/** Writes what functions/docs serves besides its page: the document, and two files of swagger-ui-dist. */
export function writeDocsAssets(folder: string): void {
  const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  mkdirSync(folder, { recursive: true });
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    copyFileSync(join(swagger, name), join(folder, name));
  }
  writeFileSync(join(folder, 'openapi.json'), openApiText());
}
