import { type Config, isConfigured } from '../../lib/config.ts';
import { log } from '../../lib/log.ts';
import { embedderFolder, readEmbedderManifest } from '../embedder/manifest.ts';
import { superviseEmbedder } from '../embedder/supervise.ts';

/**
 * Runs the installed embedder (`npm run embedder`) if no other is configured, and makes its URL known to modules imported after
 * this. Returns a function that ends it.
 */
export async function startLocalEmbedder(config: Config, program: URL): Promise<() => void> {
  const { embedding, providers, aws, dataDir } = config;
  const isNeeded = ![embedding, providers.openai, providers.gemini].some(isConfigured);
  const folder = embedderFolder(dataDir);
  const manifest = isNeeded && aws === undefined ? await readInstalled(folder) : undefined;
  if (manifest === undefined) return () => {};
  const { url, key, stop } = await superviseEmbedder({ program: program.href, folder });
  process.env.LOCAL_EMBEDDER_URL = url;
  process.env.LOCAL_EMBEDDER_KEY = key;
  process.env.LOCAL_EMBEDDER_MODEL = manifest.model;
  return stop;
}

async function readInstalled(folder: string) {
  try {
    return await readEmbedderManifest(folder);
  } catch (error) {
    log.error('the installed embedder cannot be read', { folder }, error);
    return undefined;
  }
}
