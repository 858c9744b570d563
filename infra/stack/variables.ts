import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Template, TemplateResource } from './template.ts';

/** Lambda's limit, measured as one JSON text (docs/architecture/aws-refusals.md). */
export const MAX_BYTES = 4096;
/** Replaces a reference, which becomes an ARN or a URL with a generated name. */
const REFERENCE = 'x'.repeat(120);
const MOST_NAMED = 8;
const QUEUE_URL = 'QUEUE_URL_';

/**
 * Settings that one part of the service reads, with the modules that read them. A function that imports none of these
 * modules doesn't get the settings (test/infra/stack/variables.test.ts looks for other readers).
 */
export const READERS: { part: string; variables: RegExp; modules: string[] }[] = [
  {
    part: 'auth',
    variables: /^(AUTH_MODE$|OIDC_)/,
    modules: ['authorizer', 'docs', 'mcp', 'system', 'tokens'].map((name) => `functions/${name}/handler.ts`),
  },
  {
    part: 'bots',
    variables: /^IM[AB]_/,
    // The settings show whether they are enabled.
    modules: ['lib/wiring/chat-platform.ts', 'functions/settings/handler.ts'],
  },
  { part: 'cluster', variables: /^K8S_/, modules: ['lib/wiring/cluster.ts'] },
  { part: 'hubs', variables: /^HUB_/, modules: ['lib/wiring/hubs.ts'] },
  {
    part: 'papers',
    variables: /^(ARXIV|SEMANTIC_SCHOLAR|OPENALEX|CROSSREF|PAPER)_/,
    modules: ['lib/wiring/papers.ts'],
  },
  { part: 'sources', variables: /^(ZOTERO_|SOURCE_)/, modules: ['lib/wiring/file-source.ts'] },
  {
    part: 'webSearch',
    variables: /^WEB_SEARCH_/,
    modules: ['lib/settings/with-settings.ts', 'lib/settings/web-search.ts'],
  },
  {
    part: 'codeHost',
    variables: /^CODE_HOST/,
    modules: ['lib/wiring/repositories.ts'],
  },
  { part: 'commits', variables: /^COMMIT_EMAIL$/, modules: ['functions/git/handler.ts'] },
  { part: 'recognition', variables: /^RECOGNITION/, modules: ['lib/wiring/recognizer.ts'] },
  { part: 'rerank', variables: /^RERANK_/, modules: ['lib/wiring/reranker.ts'] },
  { part: 'entailment', variables: /^ENTAILMENT_/, modules: ['lib/wiring/entailment.ts'] },
  {
    part: 'providers',
    variables: /^(LLM|PROVIDER|VISION|EMBEDDING)_/,
    modules: ['lib/settings/with-settings.ts'],
  },
];

type Variables = Record<string, unknown>;

/**
 * Leaves each function only the variables it reads: no empty variables, no settings of other parts, and no
 * queues that its role may not use.
 */
export function settleVariables(root: string, { Resources }: Template): void {
  for (const { Type, Properties } of Object.values(Resources)) {
    if (Type !== 'AWS::Lambda::Function' || Properties.Environment === undefined) continue;
    const modules = modulesOf(root, Properties.Handler);
    const policies = JSON.stringify(Resources[Properties.Role['Fn::GetAtt'][0]]?.Properties.Policies);
    const kept = Object.entries<unknown>(Properties.Environment.Variables).filter(
      ([name, value]) => value !== '' && isRead(name, modules) && isUsable(name, value, policies),
    );
    Properties.Environment.Variables = Object.fromEntries(kept);
  }
}

function isRead(name: string, modules: Set<string>): boolean {
  const own = READERS.find(({ variables }) => variables.test(name));
  return own === undefined || own.modules.some((module) => modules.has(module));
}

function isUsable(name: string, value: unknown, policies: string): boolean {
  if (!name.startsWith(QUEUE_URL)) return true;
  return policies.includes(`"${(value as { Ref: string }).Ref}"`);
}

/** Returns the paths in the repository of all modules that a handler loads. */
export function modulesOf(root: string, handler: string): Set<string> {
  const found = new Set<string>();
  const add = (file: string) => {
    if (found.has(file) || !existsSync(join(root, file))) return;
    found.add(file);
    const text = readFileSync(join(root, file), 'utf8').replaceAll(/import type [^;]*;/g, '');
    for (const [, path = ''] of text.matchAll(/(?:from|import\(|import)\s*'(\.[^']+\.ts)'/g))
      add(resolve('/', dirname(file), path).slice(1));
  };
  add(handler.replace(/\.handler$/, '.ts'));
  return found;
}

/** Returns the value with each reference replaced by text of the greatest possible length. */
export function writtenOut(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(writtenOut);
  if (value === null || typeof value !== 'object') return value;
  const [key = ''] = Object.keys(value);
  if (key === 'Ref' || key.startsWith('Fn::')) return REFERENCE;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, writtenOut(inner)]));
}

/**
 * Throws an Error with the longest settings if Lambda would refuse a function, because CloudFormation would report it
 * only after minutes.
 */
export function refuseManyVariables({ Resources }: Template, stageFile: string): void {
  const over = Object.values(Resources).filter((resource) => variableBytes(resource) > MAX_BYTES);
  const [largest] = over.toSorted((a, b) => variableBytes(b) - variableBytes(a));
  if (largest === undefined) return;
  const names = over.map(({ Properties }) => Properties.FunctionName).join(', ');
  throw new Error(
    `${stageFile}: The variables of ${names} have up to ${variableBytes(largest)} bytes, and Lambda accepts ${MAX_BYTES}. ` +
      `The longest settings are ${longest(largest.Properties.Environment.Variables).join(', ')}. Shorten them or leave some out.`,
  );
}

export function variableBytes({ Type, Properties }: TemplateResource): number {
  if (Type !== 'AWS::Lambda::Function') return 0;
  return Buffer.byteLength(JSON.stringify(writtenOut(Properties.Environment?.Variables ?? {})));
}

/** Returns the longest of the stage's own settings, without references. */
function longest(variables: Variables): string[] {
  const texts = Object.entries(variables).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const sorted = texts.toSorted(([, a], [, b]) => b.length - a.length);
  return sorted.slice(0, MOST_NAMED).map(([name, value]) => `${name} (${value.length})`);
}
