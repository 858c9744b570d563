import { huggingFaceHub } from '../adapters/hugging-face/hub.ts';
import { modelScopeHub } from '../adapters/modelscope/hub.ts';
import type { Config } from '../config.ts';
import type { Hub } from '../ports/hub.ts';

export const HUGGING_FACE_URL = 'https://huggingface.co';
export const MODELSCOPE_URL = 'https://modelscope.cn';

export type Hubs = Record<'hub_a' | 'hub_b', Hub>;

const opened = new Map<string, Hubs>();

/**
 * Opens Hugging Face and ModelScope, under their names in requests and records. They use the configured
 * proxies. Their connections are cached while the settings stay unchanged.
 */
export function openHubs({ hubs, proxy }: Pick<Config, 'hubs' | 'proxy'>): Hubs {
  const key = JSON.stringify([hubs, proxy]);
  const known = opened.get(key);
  if (known !== undefined) return known;
  const settings = ({ baseUrl, token }: Config['hubs']['huggingFace'], fallback: string) => ({
    baseUrl: baseUrl ?? fallback,
    token,
    proxy,
    trusted: baseUrl !== undefined,
  });
  const made = {
    hub_a: huggingFaceHub(settings(hubs.huggingFace, HUGGING_FACE_URL)),
    hub_b: modelScopeHub(settings(hubs.modelScope, MODELSCOPE_URL)),
  };
  opened.set(key, made);
  return made;
}
