import { cp, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeCaller } from '../support/callers.ts';
import {
  type ChatRequest,
  hashWord,
  offeredPassages,
  startFakeOpenai,
} from '../support/fakes/fake-openai.ts';
import { installOnce } from '../support/install-once.ts';
import { startService } from '../support/service.ts';
import { syncWorkspace } from '../support/sync.ts';
import { cleanUp } from '../support/temp-folder.ts';
import { makeWorkspace } from '../support/workspace.ts';
import { askInOpenWebui } from './openai/open-webui.ts';
import { installPython, runCommand } from './servers/install.ts';

/**
 * OpenAI's SDKs and clients that build on them, unmodified, against the service: models, both APIs, streamed and whole,
 * and errors. One of them checks annotations of 1,000 answers (ANSWERS) from the files alone. `npm run test:openai --
 * langchain`: the programs whose names match. `-- open-webui` installs 7.4 GB, so it runs only by its name.
 */
const NPM = ['openai@7.59.0', 'ai@7.0.173', '@ai-sdk/openai@4.0.118', '@ai-sdk/openai-compatible@3.0.92'];
const PYPI = ['openai==3.57.0', 'langchain-openai==1.7.4'];
const PROGRAMS = resolve(import.meta.dirname, 'openai');

const wanted = process.argv[2] ?? '';
const DOCS = resolve(import.meta.dirname, '../../docs');
/** The program knows the name. */
const INVENTED = 'The council of Zorvax met 4,711 times in the year 1893 and chose a blue door.';
const SENTENCE = 'The Firth bridge was opened in 1890.';
const provider = await startFakeOpenai({ answer: () => [`${SENTENCE}`, ' [', '1]'] });
const service = await startService({ PROVIDER_A_BASE_URL: provider.url, AUTH_MODE: 'token', CONSOLE: 'on' });
try {
  const env = await prepare();
  const node = await installNpm();
  const python = await installPypi();
  await runOne('openai-npm', process.execPath, 'openai-npm.mjs', { ...env, SDK_FOLDER: node });
  await runOne('ai-sdk', process.execPath, 'ai-sdk.mjs', { ...env, SDK_FOLDER: node });
  await runOne('openai-pypi', python, 'openai_pypi.py', env);
  await runOne('langchain', python, 'langchain_client.py', env);
  if (wanted === 'open-webui') console.log(`ok      open-webui  ${await askInOpenWebui(env)}`);
  provider.answer = trueAndFalse;
  await runOne('verify-answers', python, 'verify_answers.py', await prepareDocs());
} finally {
  await service.stop();
  await provider.stop();
  await cleanUp();
}

/** Returns the variables of a program: a workspace with one file, and credentials for it. */
async function prepare(): Promise<Record<string, string>> {
  const env = await workspaceWith((root) =>
    writeFile(join(root, 'bridges.md'), `# Bridges\n\n${SENTENCE} It is long.\n`),
  );
  return { ...env, SENTENCE };
}

/** Returns the variables of the program that checks annotations: the workspace has this project's docs. */
async function prepareDocs(): Promise<Record<string, string>> {
  const env = await workspaceWith((root) => cp(DOCS, root, { recursive: true }));
  return { ...env, FILES: DOCS, ANSWERS: process.env.ANSWERS ?? '1000' };
}

async function workspaceWith(fill: (root: string) => Promise<void>) {
  const { call, headers } = await makeCaller(service, 'admin');
  const { id, root } = await makeWorkspace({ call });
  await fill(root);
  await syncWorkspace({ call }, id);
  return {
    BASE_URL: `${service.url}/api/openai/v1`,
    API_KEY: headers.authorization?.replace('Bearer ', '') ?? '',
    MODEL: `workspace:${id}`,
  };
}

/** Up to three cited sentences, each as in its passage, with another number, or invented. */
function trueAndFalse(request: ChatRequest): string {
  const seed = hashWord(JSON.stringify(request.messages.at(-1)));
  const sentences = offeredPassages(request)
    .slice(0, 3)
    .map(({ number, text }, at) => {
      const own = text
        .split('\n')
        .flatMap((line) => line.split(/(?<=[.!?])\s+/u))
        .filter(isSentence);
      const chosen = own[seed % Math.max(1, own.length)] ?? text.trim().split('\n')[0] ?? '';
      const kinds = [chosen, chosen.replace(/\d+/, (digits) => `${Number(digits) + 7}`), INVENTED];
      return `${kinds[(seed >>> at) % kinds.length]} [${number}]`;
    });
  return sentences.join('\n\n') || 'The files say nothing about it.';
}

function isSentence(text: string): boolean {
  return /^[A-Z][^[\]|`<]{30,300}[.!?]$/u.test(text);
}

async function runOne(name: string, program: string, file: string, env: NodeJS.ProcessEnv): Promise<void> {
  if (!name.includes(wanted)) return;
  try {
    const said = await runCommand(program, [join(PROGRAMS, file)], {
      env: { PATH: process.env.PATH, ...env },
    });
    console.log(`ok      ${name}  ${said.trim()}`);
  } catch (error) {
    process.exitCode = 1;
    console.log(`FAILED  ${name}\n${String(error)}`);
  }
}

function installNpm(): Promise<string> {
  return installOnce('openai-npm', NPM.join('_').replace(/[@/]/g, '-'), async (into) => {
    await runCommand('npm', ['install', '--prefix', into, '--ignore-scripts', ...NPM]);
  });
}

async function installPypi(): Promise<string> {
  const folder = await installOnce('openai-pypi', PYPI.join('_').replace(/==/g, '-'), (into) =>
    installPython(into, '3.9', PYPI),
  );
  return join(folder, 'bin/python');
}
