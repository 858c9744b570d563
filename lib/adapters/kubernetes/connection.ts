import type { RequestOptions } from 'node:https';
import { HttpMethod, KubeConfig, RequestContext } from '@kubernetes/client-node';
import type { Dispatcher } from 'undici';
import { NotConfigured } from '../../errors.ts';
import { type ProxySettings, proxyAgentOptions } from '../outbound/proxy.ts';
import { type KubeconfigSource, readKubeconfig } from './kubeconfig.ts';

export interface ConnectionSettings {
  kubeconfig: KubeconfigSource;
  proxy?: ProxySettings | undefined;
}

export interface Connection {
  server: string;
  /** Returns current credentials for each request, because a token may have been renewed. */
  credentials(): Promise<{ headers: Record<string, string>; dispatcher: Dispatcher }>;
}

/**
 * Opens a connection to a kubeconfig's cluster. Loads @kubernetes/client-node, so import this file only at
 * first use. Then bundlers can drop the package's unused parts, which leaves 2 of 18 MB.
 */
export async function openConnection({ kubeconfig, proxy }: ConnectionSettings): Promise<Connection> {
  const { cluster, user } = await readKubeconfig(kubeconfig);
  const config = new KubeConfig();
  config.loadFromClusterAndUser(cluster, user);
  let dispatcher: Promise<Dispatcher> | undefined;
  return {
    server: cluster.server,
    async credentials() {
      try {
        const context = new RequestContext(cluster.server, HttpMethod.GET);
        await config.applySecurityAuthentication(context);
        dispatcher ??= openDispatcher(config, context.getDispatcher(), proxy);
        return { headers: context.getHeaders(), dispatcher: await dispatcher };
      } catch (error) {
        throw new NotConfigured('kubeconfig_invalid', UNUSABLE, { cause: error });
      }
    },
  };
}

const UNUSABLE =
  "The kubeconfig can't be used: a file that it names can't be read, or its server uses HTTP without insecure-skip-tls-verify.";

/** The kubeconfig's own proxy takes precedence over the service's. */
async function openDispatcher(
  config: KubeConfig,
  own: Dispatcher | undefined,
  proxy: ProxySettings | undefined,
): Promise<Dispatcher> {
  const { Agent, EnvHttpProxyAgent } = (await import('undici')).default;
  const proxied = proxy && proxyAgentOptions(proxy);
  const cluster = config.getCurrentCluster();
  if (proxied === undefined || cluster?.proxyUrl !== undefined) return own ?? new Agent();
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  const { ca, cert, key, rejectUnauthorized = true } = options;
  const { tlsServerName: servername } = cluster ?? {};
  const tls = Object.fromEntries(
    Object.entries({ ca, cert, key, rejectUnauthorized, servername }).filter(([, value]) => value != null),
  );
  return new EnvHttpProxyAgent({ ...proxied, connect: tls, requestTls: tls });
}
