import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { S3Client } from '@aws-sdk/client-s3';
import { adoptData } from './stack/adopt.ts';
import { deployService, removeService, type Target } from './stack/deploy.ts';
import { packageService } from './stack/package.ts';
import { readStage } from './stack/stage.ts';

/**
 * `npm run package -- --stage NAME` makes the zips and the templates in .serverless/, without credentials (the network it needs
 * once, for its tools); `npm run deploy` brings them to AWS, `npm run remove` takes functions, console and alarms away (with
 * `--data` the data's stack, too), `npm run adopt` takes apart what release 1.0 deployed as one stack. What a stage is stands
 * in infra/stages/<NAME>.yml.
 */
const root = resolve(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { stage: { type: 'string', default: 'dev' }, data: { type: 'boolean', default: false } },
});

const commands: Record<string, (target: Target) => Promise<unknown>> = {
  package: () => packageService(root, values.stage),
  deploy: async (target) => deployService(target, await packageService(root, values.stage)),
  remove: (target) => removeService(target, { withData: values.data }),
  adopt: adoptData,
};

const [name = 'package', ...others] = positionals;
const command = commands[name];
// npm takes the option for itself when no `--` stands before it: what is meant for one stage would be done to another.
const takenByNpm = others.length > 0 || process.env.npm_config_stage !== undefined;
if (command === undefined || takenByNpm || !/^[a-z][a-z0-9-]{0,19}$/.test(values.stage)) {
  console.error(
    'Usage: npm run package|deploy|remove|adopt -- [--stage NAME]   (a-z, 0-9 and -; at most 20; the -- is needed)',
  );
  process.exit(2);
}
try {
  await command(targetOf(values.stage));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

/** The region is the stage's, whatever the shell has set. */
function targetOf(stage: string): Target {
  const { AWS_REGION: region } = readStage(root, stage);
  const [cloudFormation, s3] = [new CloudFormationClient({ region }), new S3Client({ region })];
  return { cloudFormation, s3, name: `workspace-research-${stage}`, tell: console.log };
}
