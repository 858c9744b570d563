import type { Config } from '../config.ts';

/** Never through a proxy: this machine, and the cloud's metadata address. */
const DIRECT = ['localhost', '127.0.0.1', '::1', '169.254.169.254'];

/**
 * Sends what goes out through the configured proxies; without any nothing is loaded or changed. Plain http goes as an
 * absolute-form request: many proxies refuse to tunnel to port 80 (reference/protocols.md 6.6).
 */
export async function useProxies({ proxy }: Pick<Config, 'proxy'>): Promise<void> {
  if (proxy.http === undefined && proxy.https === undefined) return;
  // By its default export: of a CommonJS package that a bundler split off, only that is there.
  const { EnvHttpProxyAgent, setGlobalDispatcher } = (await import('undici')).default;
  const noProxy = [proxy.no, ...DIRECT].filter((host) => host !== undefined && host !== '').join(',');
  // An empty text, not undefined: the agent would read the environment by itself.
  setGlobalDispatcher(
    new EnvHttpProxyAgent({
      httpProxy: proxy.http ?? '',
      httpsProxy: proxy.https ?? '',
      noProxy,
      proxyTunnel: false,
    }),
  );
}
