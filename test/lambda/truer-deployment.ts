import type { IncomingMessage } from 'node:http';
import { type ServiceProxy, startServiceProxy } from '../lanes/service-proxy.ts';
import { type Deployment, deploy } from '../package/deployment.ts';
import { emulatorAddress } from '../support/emulator.ts';
import { type FakeOpenai, startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { makeCertificate } from '../support/fakes/git-server.ts';
import { tempFolder, whenDone } from '../support/temp-folder.ts';

/**
 * Time of a call within a region, in an account far from its limits. It's assumed, because it can't be
 * measured here.
 */
const LATENCY_MS = { dynamodb: 3, s3: 15, sqs: 8, secrets: 8 };
/**
 * Delays of the fake provider, which a table subtracts: to the first token, and to the vector of a question.
 */
export const MODEL_MS = 400;
export const EMBEDDING_MS = 60;

type Service = keyof typeof LATENCY_MS | 'provider';

/** The packaged service under Lambda's limits, with network latency to its services. */
export interface TruerDeployment extends Deployment {
  proxies: Record<Service, ServiceProxy>;
  provider: FakeOpenai;
  /** Memory of functions that get another size than their own, from their next start on. */
  memoryMb: Map<string, number>;
}

export async function deployTruer(settings: Record<string, string> = {}): Promise<TruerDeployment> {
  const provider = await startFakeOpenai();
  whenDone(() => provider.stop());
  const certificate = await makeCertificate(await tempFolder());
  const start = async (service: Service, target: string, latencyMs: number | typeof providerLatency) => {
    const proxy = await startServiceProxy({ service, target, latencyMs, certificate });
    whenDone(async () => proxy.stop());
    return proxy;
  };
  const [dynamodb, s3, sqs, secrets, own] = await Promise.all([
    start('dynamodb', emulatorAddress('DYNAMODB_URL'), LATENCY_MS.dynamodb),
    start('s3', emulatorAddress('MINISTACK_URL'), LATENCY_MS.s3),
    start('sqs', emulatorAddress('MINISTACK_URL'), LATENCY_MS.sqs),
    start('secrets', emulatorAddress('MINISTACK_URL'), LATENCY_MS.secrets),
    start('provider', new URL(provider.url).origin, providerLatency),
  ]);
  const addresses = {
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
    AWS_ENDPOINT_URL_S3: s3.url,
    AWS_ENDPOINT_URL_SQS: sqs.url,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    PROVIDER_A_BASE_URL: `${own.url}/v1`,
    EMBEDDING_MODEL: 'text-embedding-3-small',
    NODE_EXTRA_CA_CERTS: certificate.caFile,
  };
  const memoryMb = new Map<string, number>();
  const options = { limited: true, sqsUrl: sqs.url, memoryMb };
  const deployment = await deploy({ ...addresses, ...settings }, options);
  return { ...deployment, memoryMb, provider, proxies: { dynamodb, s3, sqs, secrets, provider: own } };
}

function providerLatency({ url = '' }: IncomingMessage): number {
  return url.endsWith('/embeddings') ? EMBEDDING_MS : MODEL_MS;
}
