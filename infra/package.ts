import { resolve } from 'node:path';
import { readArguments, UsageError } from './command-line.ts';
import { connect } from './stack/connect.ts';
import { checkTarget, deploymentName, deployService, removeService, type Target } from './stack/deploy.ts';
import { packageService } from './stack/package.ts';
import { readStage } from './stack/stage.ts';

/**
 * `npm run package -- --stage NAME` creates the zips and templates in .serverless/, without credentials. `npm run
 * deploy` deploys them to AWS; with `--check`, it only checks stage, package, and account; with
 * `--without-rollback-alarms`, no alarm rolls the functions back. `npm run remove` removes functions, console, and
 * alarms; with `--data`, also the data stack. infra/stages/<NAME>.yml has the settings of a stage.
 */
const root = resolve(import.meta.dirname, '..');
const OPTIONS = {
  stage: { type: 'string', default: 'dev' },
  check: { type: 'boolean', default: false },
  data: { type: 'boolean', default: false },
  'without-rollback-alarms': { type: 'boolean', default: false },
} as const;
const USAGE = `Usage, in which the -- is needed (NAME: a-z, 0-9, and -; at most 20 characters):
npm run package -- [--stage NAME]
npm run deploy -- [--stage NAME] [--check] [--without-rollback-alarms]
npm run remove -- [--stage NAME] [--data]`;
const { values, positionals } = parsed();

const commands: Record<string, (target: Target) => Promise<unknown>> = {
  package: () => packageService(root, values.stage),
  deploy: async (target) => {
    const made = await packageService(root, values.stage);
    if (!values.check) return deployService(target, made);
    await checkTarget(target, made);
    target.tell('Stage, package, and account are ready. Nothing was changed.');
  },
  remove: (target) => removeService(target, { withData: values.data }),
};

const [name = 'package', ...others] = positionals;
const command = commands[name];
// Without a preceding `--`, npm takes the option itself, so the command would apply to another stage, or change it.
const takenByNpm =
  others.length > 0 ||
  Object.keys(OPTIONS).some(
    (option) => process.env[`npm_config_${option.replaceAll('-', '_')}`] !== undefined,
  );
if (command === undefined || takenByNpm || !/^[a-z][a-z0-9-]{0,19}$/.test(values.stage)) refuse();
try {
  await command(targetOf(values.stage));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

function parsed() {
  try {
    return readArguments(OPTIONS);
  } catch (error) {
    if (error instanceof UsageError) console.error(error.message);
    return refuse();
  }
}

function refuse(): never {
  console.error(USAGE);
  process.exit(2);
}

/** The region is the stage's, even if the shell sets another one. */
function targetOf(stage: string): Target {
  const { AWS_REGION: region } = readStage(root, stage);
  const withoutRollbackAlarms = values['without-rollback-alarms'];
  return { ...connect(region), name: deploymentName(stage), tell: console.log, withoutRollbackAlarms };
}
