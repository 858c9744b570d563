import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build, stop } from 'esbuild';
import * as yaml from 'js-yaml';
import { readServiceFile } from '../../infra/local/service-file.ts';

const root = resolve(import.meta.dirname, '../..');
const { functions } = yaml.load(readFileSync(join(root, 'serverless.yml'), 'utf8')) as {
  functions: Record<string, { handler: string; role: string }>;
};
const { resources } = readServiceFile(join(root, 'serverless.yml'));
const names = Object.keys(functions);

/**
 * Matches one of our functions that reads or writes a restricted partition, by its declaration in a bundle.
 */
const declares = (name: string) => new RegExp(`function\\*? ${name}\\d*\\(`);
const FINDS_TOKENS = declares('findToken');
const KEEPS_TOKENS = declares('createToken');
const CHECKS_CREDENTIALS = declares('authorizeToken');
const SHOWS_AUDIT = declares('listAudit');
/** Matches an audited action of a route, or of a rule that several entry points share. */
const AUDITS = /\b(audit|action): "[\w-]+\.\w+"/;

const bundles = new Map<string, string>();

/** Returns the packaged code of a function, with tree shaking but without minification and packages. */
beforeAll(async () => {
  const entryPoints = names.map((name) => ({
    in: join(root, functions[name]?.handler.replace(/\.handler$/, '.ts') ?? ''),
    out: name,
  }));
  const { outputFiles } = await build({
    entryPoints,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    packages: 'external',
    outdir: '/bundles',
    write: false,
    logLevel: 'error',
  });
  for (const { path, text } of outputFiles) bundles.set(path.slice('/bundles/'.length, -'.js'.length), text);
}, 120_000);

afterAll(() => stop());

function rightToRecords(name: string): string | undefined {
  const policies: { Ref: string }[] = resources[functions[name]?.role ?? '']?.Properties.ManagedPolicyArns;
  const rights = policies.map(({ Ref }) => Ref);
  return rights.find((right) => /Records$|^(ShowAudit|KeepTokens|CheckCredentials)$/.test(right));
}

function neededBy(name: string): string {
  const bundle = bundles.get(name) ?? '';
  if (CHECKS_CREDENTIALS.test(bundle)) return 'CheckCredentials';
  if (KEEPS_TOKENS.test(bundle)) return 'KeepTokens';
  if (SHOWS_AUDIT.test(bundle)) return 'ShowAudit';
  const checked = FINDS_TOKENS.test(bundle) ? 'Checked' : '';
  const audited = AUDITS.test(bundle) ? 'Audited' : '';
  return `Use${checked}${audited}Records`;
}

describe("function's permission for tokens and the audit log", () => {
  const using = names.filter((name) => rightToRecords(name) !== undefined);

  it.each(using)('is required by the calls in its bundle: %s', (name) => {
    expect(rightToRecords(name)).toBe(neededBy(name));
  });

  it('is detected by names that exist in bundles', () => {
    const all = [...bundles.values()].join('\n');
    for (const word of [FINDS_TOKENS, KEEPS_TOKENS, CHECKS_CREDENTIALS, SHOWS_AUDIT, AUDITS])
      expect(all).toMatch(word);
    expect(bundles.size).toBe(names.length);
  });
});
