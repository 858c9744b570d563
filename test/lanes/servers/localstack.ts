import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '../../../infra/free-port.ts';
import { installOnce } from '../../support/install-once.ts';
import { installPython } from './install.ts';
import { type Server, startProcess, temporaryFolder } from './process.ts';

const VERSION = '4.14.0';
/** The last open-source release: newer packages aren't tested against it. */
const PACKAGES = [
  `localstack-core[runtime]==${VERSION}`,
  'moto-ext==5.1.24',
  'boto3==1.42.54',
  'botocore==1.42.54',
  'awscli==1.44.44',
  'awscrt==0.31.2',
  'rolo==0.8.1',
  'localstack-twisted==25.5.0',
  'plux==1.14.0',
  'werkzeug==3.1.6',
  'hypercorn==0.18.0',
  'pydantic==2.12.5',
  'openapi-core==0.22.0',
  'jsonschema==4.26.0',
  'cbor2==5.8.0',
  'cryptography==46.0.5',
  'pyopenssl==25.3.0',
  'urllib3==2.6.3',
  'responses==0.26.0',
];

/**
 * Starts LocalStack without Docker: S3 (which checks signatures here), SQS, Secrets Manager, EventBridge
 * rules.
 */
export async function startLocalstack(): Promise<Server> {
  const folder = await installLocalstack();
  const temporary = await temporaryFolder('localstack');
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const { stop } = await startProcess({
    name: 'LocalStack',
    file: join(folder, 'bin/python'),
    args: ['-m', 'localstack.runtime.main'],
    env: settings(port, temporary.path),
    healthUrl: `${url}/_localstack/health`,
  });
  return { url, stop: () => stop().finally(temporary.remove) };
}

export function installLocalstack(): Promise<string> {
  return installOnce('localstack', VERSION, install);
}

/** S3's bytes are in a folder with a fixed name. Two servers would share it, and neither empties it. */
async function install(folder: string): Promise<void> {
  await installPython(folder, '3.13', PACKAGES);
  const provider = join(folder, 'lib/python3.13/site-packages/localstack/services/s3/provider.py');
  const fixed = '"/tmp/localstack-s3-storage"';
  const source = await readFile(provider, 'utf8');
  if (!source.includes(fixed)) throw new Error('LocalStack keeps its objects elsewhere by now');
  await writeFile(provider, source.replace(fixed, '__import__("os").environ["TMPDIR"] + "/s3"'));
}

/** By default, it listens on every interface, opens port 53, and downloads certificates and announcements. */
function settings(port: number, temporary: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: temporary,
    TMPDIR: temporary,
    FILESYSTEM_ROOT: join(temporary, 'root'),
    OVERRIDE_IN_DOCKER: '0', // in any container, it behaves as in its own image, and writes to /etc and /var
    GATEWAY_SERVER: 'hypercorn', // the default server binds 0.0.0.0 regardless of the configuration
    GATEWAY_LISTEN: `127.0.0.1:${port}`,
    LOCALSTACK_HOST: `127.0.0.1:${port}`,
    DNS_ADDRESS: '0',
    SKIP_SSL_CERT_DOWNLOAD: '1',
    DISABLE_EVENTS: '1',
    API_ENDPOINT: 'http://127.0.0.1:9',
    S3_SKIP_SIGNATURE_VALIDATION: '0',
    SERVICES: 's3,sqs,events,secretsmanager,ssm,sts,iam',
  };
}
