import { randomUUID } from 'node:crypto';
import { emulatorAddress } from '../support/emulator.ts';
import { type Service, startService } from '../support/service.ts';

/** Creates storage for a test's hosts: a separate stage on the emulators. */
export function newStage(): Record<string, string> {
  return {
    STAGE: `test-${randomUUID().slice(0, 8)}`,
    AWS_ENDPOINT_URL_DYNAMODB: emulatorAddress('DYNAMODB_URL'),
  };
}

/** The real host on the AWS adapters: records on DynamoDB Local, everything else on LocalStack. */
export function startAwsHost(
  stage: Record<string, string>,
  env: Record<string, string> = {},
): Promise<Service> {
  return startService({ ...stage, ...env }, ['--aws', emulatorAddress('LOCALSTACK_URL')]);
}
