import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { docsStyle, renderDocs } from './docs-pages.ts';
import { openApiText } from './openapi.ts';

const root = resolve(import.meta.dirname, '..');

/** Writes the assets of functions/docs: the OpenAPI document, two files of swagger-ui-dist, and the pages of docs/. */
export function writeDocsAssets(folder: string): void {
  const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  mkdirSync(folder, { recursive: true });
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    copyFileSync(join(swagger, name), join(folder, name));
  }
  // Without indentation, the document has half the bytes.
  writeFileSync(join(folder, 'openapi.json'), openApiText({ indent: 0 }));
  writeFileSync(join(folder, 'pages.json'), JSON.stringify(renderDocs(root)));
  writeFileSync(join(folder, 'pages.css'), docsStyle(root));
}
