import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, resolve } from 'node:path';
import { load } from 'js-yaml';
import * as z from 'zod';
import { NotConfigured } from '../../errors.ts';

/** The source of a kubeconfig: a file on this host, or the text itself from the secret store. */
export type KubeconfigSource = { path: string } | { text: string };

const named = <Shape extends z.ZodRawShape>(shape: Shape) => z.looseObject({ name: z.string(), ...shape });

const userSchema = z.looseObject({
  token: z.string().optional(),
  tokenFile: z.string().optional(),
  'client-certificate': z.string().optional(),
  'client-certificate-data': z.string().optional(),
  'client-key': z.string().optional(),
  'client-key-data': z.string().optional(),
  username: z.string().optional(),
  password: z.string().optional(),
  as: z.string().optional(),
  'as-uid': z.unknown().optional(),
  'as-groups': z.unknown().optional(),
  'as-user-extra': z.unknown().optional(),
  exec: z.unknown().optional(),
  'auth-provider': z.unknown().optional(),
});

const clusterSchema = z.looseObject({
  server: z.url({ protocol: /^https?$/ }),
  'certificate-authority': z.string().optional(),
  'certificate-authority-data': z.string().optional(),
  'insecure-skip-tls-verify': z.boolean().optional(),
  'tls-server-name': z.string().optional(),
  'proxy-url': z.url().optional(),
});

const kubeconfigSchema = z.looseObject({
  'current-context': z.string(),
  contexts: z.array(named({ context: z.looseObject({ cluster: z.string(), user: z.string() }) })),
  clusters: z.array(named({ cluster: clusterSchema })),
  users: z.array(named({ user: userSchema.nullish() })),
});

/** The current context in the terms of @kubernetes/client-node. */
export interface Kubeconfig {
  cluster: {
    name: string;
    server: string;
    skipTLSVerify: boolean;
    caFile?: string | undefined;
    caData?: string | undefined;
    tlsServerName?: string | undefined;
    proxyUrl?: string | undefined;
  };
  user: {
    name: string;
    token?: string | undefined;
    certFile?: string | undefined;
    certData?: string | undefined;
    keyFile?: string | undefined;
    keyData?: string | undefined;
    username?: string | undefined;
    password?: string | undefined;
    impersonateUser?: string | undefined;
    /** A token file is read again when it changes. */
    authProvider?: { name: 'tokenFile'; config: { tokenFile: string } } | undefined;
  };
}

type User = z.infer<typeof userSchema>;

/**
 * Returns the cluster and the user of the current context. Throws NotConfigured for a user whose token comes
 * from a program or a cloud, because the service can run neither, and for a stored text that names files,
 * because the secret store doesn't have them.
 */
export async function readKubeconfig(source: KubeconfigSource): Promise<Kubeconfig> {
  const config = parseKubeconfig(await readText(source));
  const place = pick(config.contexts, config['current-context'], 'context').context;
  const { cluster } = pick(config.clusters, place.cluster, 'cluster');
  const user = pick(config.users, place.user, 'user').user ?? {};
  refusePrograms(place.user, user);
  refuseHalfUsers(place.user, user);
  const fileOf = fileReader(source);
  return {
    cluster: {
      name: place.cluster,
      server: cluster.server.replace(/(?<!\/)\/+$/, ''),
      skipTLSVerify: cluster['insecure-skip-tls-verify'] ?? false,
      caFile: fileOf(cluster['certificate-authority'], cluster['certificate-authority-data']),
      caData: cluster['certificate-authority-data'],
      tlsServerName: cluster['tls-server-name'],
      proxyUrl: cluster['proxy-url'],
    },
    user: describeUser(place.user, user, fileOf),
  };
}

function describeUser(name: string, user: User, fileOf: ReturnType<typeof fileReader>): Kubeconfig['user'] {
  const tokenFile = fileOf(user.tokenFile, user.token);
  return {
    name,
    token: user.token,
    certFile: fileOf(user['client-certificate'], user['client-certificate-data']),
    certData: user['client-certificate-data'],
    keyFile: fileOf(user['client-key'], user['client-key-data']),
    keyData: user['client-key-data'],
    username: user.username,
    password: user.password,
    impersonateUser: user.as,
    authProvider: tokenFile === undefined ? undefined : { name: 'tokenFile', config: { tokenFile } },
  };
}

async function readText(source: KubeconfigSource): Promise<string> {
  if ('text' in source) return source.text;
  try {
    return await readFile(source.path, 'utf8');
  } catch (error) {
    throw new NotConfigured('kubeconfig_invalid', "KUBECONFIG_PATH names a file that can't be read.", {
      cause: error,
    });
  }
}

/** Omits the parser's message, because it quotes the text. */
function parseKubeconfig(text: string): z.infer<typeof kubeconfigSchema> {
  let value: unknown;
  try {
    value = load(text);
  } catch {
    throw new NotConfigured('kubeconfig_invalid', 'The kubeconfig is not valid YAML.');
  }
  const parsed = kubeconfigSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path = [], message = '' } = parsed.error.issues[0] ?? {};
  throw new NotConfigured(
    'kubeconfig_invalid',
    `The kubeconfig is invalid at ${path.join('.') || 'its top level'}: ${message}`,
  );
}

function pick<Entry extends { name: string }>(entries: Entry[], name: string, what: string): Entry {
  const entry = entries.find((one) => one.name === name);
  if (entry === undefined)
    throw new NotConfigured('kubeconfig_invalid', `The kubeconfig has no ${what} ${JSON.stringify(name)}.`);
  return entry;
}

function refusePrograms(name: string, user: User): void {
  const refused = user.exec ? 'exec' : user['auth-provider'] ? 'auth-provider' : undefined;
  if (refused === undefined) return;
  throw new NotConfigured(
    'kubeconfig_invalid',
    `The kubeconfig user ${JSON.stringify(name)} gets its credential through ${refused}, which the service does not run. Use a service account token or a client certificate.`,
  );
}

/**
 * Throws for an incomplete user. @kubernetes/client-node would pass on only the name, so the service would
 * act as another user.
 */
function refuseHalfUsers(name: string, user: User): void {
  const field = (['as-uid', 'as-groups', 'as-user-extra'] as const).find((one) => user[one] !== undefined);
  if (field === undefined) return;
  throw new NotConfigured(
    'kubeconfig_invalid',
    `The kubeconfig user ${JSON.stringify(name)} has ${field}, which the service does not support. Use \`as\` alone.`,
  );
}

/**
 * Returns a reader of files. Paths are relative to the kubeconfig; data takes precedence over a path, as in kubectl.
 */
function fileReader(source: KubeconfigSource) {
  return (path: string | undefined, data: string | undefined): string | undefined => {
    if (path === undefined || data !== undefined) return undefined;
    if ('path' in source) return isAbsolute(path) ? path : resolve(dirname(source.path), path);
    throw new NotConfigured(
      'kubeconfig_invalid',
      'The secret KUBECONFIG names files. Put the certificates and tokens into it (kubectl config view --flatten --raw).',
    );
  };
}
