import { hubA } from '../adapters/hugging-face/hub.ts';
import { hubB } from '../adapters/modelscope/hub.ts';
import type { Config } from '../config.ts';
import type { Hub } from '../ports/hub.ts';

export const BASE_URLS = { hub_a: 'https://huggingface.co', hub_b: 'https://modelscope.cn' };

export type Hubs = Record<'hub_a' | 'hub_b', Hub>;

const opened = new Map<string, Hubs>();

/** The two hubs, through the configured proxies; their connections are kept as long as the settings stay the same. */
export function openHubs({ hubs, proxy }: Pick<Config, 'hubs' | 'proxy'>): Hubs {
  const key = JSON.stringify([hubs, proxy]);
  const known = opened.get(key);
  if (known !== undefined) return known;
  const settings = ({ baseUrl, token }: Config['hubs']['a'], fallback: string) => ({
    baseUrl: baseUrl ?? fallback,
    token,
    proxy,
    trusted: baseUrl !== undefined,
  });
  const made = {
    hub_a: hubA(settings(hubs.a, BASE_URLS.hub_a)),
    hub_b: hubB(settings(hubs.b, BASE_URLS.hub_b)),
  };
  opened.set(key, made);
  return made;
}
