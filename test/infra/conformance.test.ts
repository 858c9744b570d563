import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { VERSIONS } from '../lanes/clients/generators.ts';
import { TOUR } from '../lanes/clients/tour.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pinned = (path: string, name: string) => new RegExp(`const ${name} = '(.+)'`).exec(read(path))?.[1];
const page = read('docs/reference/conformance.md');
/** The row of the table that starts with this name. */
const rowOf = (name: string) => page.split('\n').find((line) => line.startsWith(`| ${name}`)) ?? '';

describe('docs/reference/conformance.md', () => {
  it('has the versions of the generators and linters, and the calls of the tour', () => {
    const { openapiTypescript, openapiFetch, openapiGenerator } = VERSIONS;
    const toured = `${TOUR.length} of ${TOUR.length} calls`;
    expect(rowOf('openapi-generator, `-g python`')).toContain(` ${openapiGenerator} | compiles, ${toured} `);
    expect(rowOf('openapi-generator, `-g typescript-fetch`')).toContain(` ${openapiGenerator} |`);
    expect(rowOf('openapi-generator, `-g go`')).toContain(` ${openapiGenerator} |`);
    expect(rowOf('openapi-generator, `-g java`')).toContain(` ${openapiGenerator} |`);
    expect(rowOf('openapi-python-client')).toContain(
      ` ${VERSIONS.openapiPythonClient} | compiles, ${toured} `,
    );
    expect(rowOf('openapi-typescript')).toContain(` ${openapiTypescript}, ${openapiFetch} |`);
    expect(rowOf('datamodel-codegen')).toContain(` ${VERSIONS.datamodelCodegen} |`);
    expect(rowOf('Redocly CLI')).toContain(` ${VERSIONS.redocly} |`);
    expect(rowOf('Spectral')).toContain(` ${VERSIONS.spectral} |`);
  });

  it('has the versions of the AI SDK and of the Model Context Protocol', () => {
    const versions = [
      ...(/VERSIONS = \[(.+)\]/.exec(read('test/lanes/ai-sdk.ts'))?.[1] ?? '').matchAll(/'(.+?)'/g),
    ];
    expect(versions).toHaveLength(3);
    for (const [, version] of versions) expect(page).toContain(`| AI SDK, \`useChat\` | ${version} |`);
    expect(rowOf('MCP conformance suite')).toContain(` ${pinned('test/lanes/mcp.ts', 'SUITE')} |`);
    expect(rowOf('MCP Python SDK')).toContain(` ${pinned('test/lanes/mcp.ts', 'PYTHON_SDK')} |`);
  });

  it('has each scenario that the suite of the Model Context Protocol runs', () => {
    const lists = [...read('test/lanes/mcp.ts').matchAll(/^const [A-Z_]+ = \[([^\]]+)\];/gm)].flatMap(
      ([, text = '']) => [...text.matchAll(/'(.+?)'/g)],
    );
    expect(lists).toHaveLength(35);
    expect(lists.filter(([, scenario]) => !page.includes(`\`${scenario}\``))).toEqual([]);
  });
});
