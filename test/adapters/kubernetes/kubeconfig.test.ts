import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readKubeconfig } from '../../../lib/adapters/kubernetes/kubeconfig.ts';
import { NotConfigured } from '../../../lib/errors.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** JSON is valid YAML. */
function kubeconfig(user: object = { token: 't' }, cluster: object = {}, more: object = {}): string {
  return JSON.stringify({
    'current-context': 'lab',
    contexts: [{ name: 'lab', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: 'https://lab.example:6443/', ...cluster } }],
    users: [{ name: 'u', user }],
    ...more,
  });
}

describe('readKubeconfig', () => {
  it('returns the cluster and the user of the current context', async () => {
    const text = kubeconfig(
      { token: 't', as: 'someone' },
      {
        'tls-server-name': 'lab',
        'proxy-url': 'http://proxy.example:3128',
        'certificate-authority-data': 'Y2E=',
      },
    );
    expect(await readKubeconfig({ text })).toEqual({
      cluster: {
        name: 'c',
        server: 'https://lab.example:6443',
        skipTLSVerify: false,
        caData: 'Y2E=',
        tlsServerName: 'lab',
        proxyUrl: 'http://proxy.example:3128',
      },
      user: { name: 'u', token: 't', impersonateUser: 'someone' },
    });
  });

  it('resolves file names relative to the kubeconfig file', async () => {
    const folder = await tempFolder();
    const path = join(folder, 'config');
    const user = { tokenFile: 'token', 'client-certificate': '/etc/cert', 'client-key': 'key' };
    await writeFile(path, kubeconfig(user, { 'certificate-authority': 'ca.crt' }));
    expect(await readKubeconfig({ path })).toMatchObject({
      cluster: { caFile: join(folder, 'ca.crt') },
      user: {
        authProvider: { name: 'tokenFile', config: { tokenFile: join(folder, 'token') } },
        certFile: '/etc/cert',
        keyFile: join(folder, 'key'),
      },
    });
  });

  it('rejects programs and cloud providers as credentials', async () => {
    for (const [user, word] of [
      [{ exec: { command: 'aws', apiVersion: 'client.authentication.k8s.io/v1' } }, 'exec'],
      [{ 'auth-provider': { name: 'gcp' } }, 'auth-provider'],
      [{ 'auth-provider': { name: 'x', config: { tokenFile: '/etc/passwd' } } }, 'auth-provider'],
    ] as const) {
      const refusal = `The kubeconfig user "u" gets its credential through ${word}, which the service does not run`;
      await expect(readKubeconfig({ text: kubeconfig(user) })).rejects.toThrow(refusal);
    }
  });

  it.each([
    ['is not valid YAML', 'a: [', 'The kubeconfig is not valid YAML.'],
    ['is empty', '', /^The kubeconfig is not/],
    ['is a string', 'hello', 'The kubeconfig is invalid at its top level: '],
    ['lacks its context', kubeconfig({}, {}, { 'current-context': 'x' }), 'has no context "x"'],
    ['lacks its cluster', kubeconfig({}, {}, { clusters: [] }), 'has no cluster "c"'],
    ['lacks its user', kubeconfig({}, {}, { users: [] }), 'has no user "u"'],
    [
      'has a server with another scheme',
      kubeconfig({}, { server: 'file:///x' }),
      'clusters.0.cluster.server',
    ],
    [
      'references a file, although it is a text',
      kubeconfig({ tokenFile: '/etc/passwd' }),
      'secret KUBECONFIG names files',
    ],
    [
      'extends more than a name',
      kubeconfig({ token: 't', as: 'someone', 'as-groups': ['readers'] }),
      'user "u" has as-groups, which the service does not support',
    ],
    [
      'references a CA file, although it is a text',
      kubeconfig({}, { 'certificate-authority': 'x' }),
      'names files',
    ],
  ])('rejects a kubeconfig that %s', async (_, text, message) => {
    const refused = await readKubeconfig({ text }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(NotConfigured);
    expect((refused as Error).message).toMatch(message);
  });

  it('rejects a missing kubeconfig without its path', async () => {
    await expect(readKubeconfig({ path: '/nowhere/config' })).rejects.toThrow(
      /^KUBECONFIG_PATH names a file that can't be read\.$/,
    );
  });
});
