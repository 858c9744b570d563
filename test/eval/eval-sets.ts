import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const HERE = import.meta.dirname;
const CACHE = join(HERE, '../../.cache/eval');

/** Third-party documentation, with questions that use none of its wording. */
export interface EvalSet {
  name: string;
  folder: string;
  questions: string;
  /** Minimum nDCG@10 per search mode. */
  gates: Record<string, number>;
}

/** The pages of undici, a dependency, which needn't be downloaded. */
export const undiciSet: EvalSet = {
  name: 'undici (English)',
  folder: join(HERE, '../../node_modules/undici/docs/docs'),
  questions: join(HERE, 'undici.tsv'),
  gates: { words: 0.815, hybrid: 0.76 },
};

const FASTAPI = 'fastapi-0.103.0';
const FASTAPI_SHA256 = '4166732f5ddf61c33e9fa4664f73780872511e0598d4d5434b1816dc1e6d9421';

export async function evalSets(): Promise<EvalSet[]> {
  const docs = join(await fetchFastapi(), 'docs');
  return [
    undiciSet,
    {
      name: 'FastAPI (English)',
      folder: join(docs, 'en/docs'),
      questions: join(HERE, 'fastapi-en.tsv'),
      gates: { words: 0.865, hybrid: 0.84 },
    },
    {
      name: 'FastAPI (Chinese)',
      folder: join(docs, 'zh/docs'),
      questions: join(HERE, 'fastapi-zh.tsv'),
      gates: { words: 0.815, hybrid: 0.745 },
    },
  ];
}

/** The source package, which contains the documentation in both languages; pip builds source downloads. */
async function fetchFastapi(): Promise<string> {
  const folder = join(CACHE, FASTAPI);
  if (existsSync(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  const python = join(CACHE, 'python');
  await run('python3', ['-m', 'venv', python]);
  const pip = join(python, 'bin/pip');
  await run(pip, ['install', '--quiet', 'hatchling==1.33.0']);
  const asSource = ['--no-deps', '--no-binary', ':all:', '--no-build-isolation'];
  await run(pip, ['download', '--quiet', ...asSource, '--dest', CACHE, FASTAPI.replace('-', '==')]);
  const archive = join(CACHE, `${FASTAPI}.tar.gz`);
  const hash = createHash('sha256')
    .update(await readFile(archive))
    .digest('hex');
  if (hash !== FASTAPI_SHA256) throw new Error(`${archive} is not what was measured`);
  await run('tar', ['xzf', archive, '-C', CACHE, `${FASTAPI}/docs/en/docs`, `${FASTAPI}/docs/zh/docs`]);
  return folder;
}
