import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { awsCli } from './account.ts';
import type { Target } from './deploy.ts';

/**
 * Returns the clients for a region. They and the AWS CLI get the same credentials. If the environment has
 * both a profile and keys, the SDK would use the profile and the CLI the keys, which may belong to another
 * account.
 */
export function connect(region: string): Omit<Target, 'name' | 'tell'> {
  const cloudFormation = new CloudFormationClient({ region });
  const { credentials } = cloudFormation.config;
  const settings = { region, credentials };
  return {
    cloudFormation,
    s3: new S3Client(settings),
    cloudWatch: new CloudWatchClient(settings),
    lambda: new LambdaClient(settings),
    ask: awsCli(region, credentials),
  };
}
