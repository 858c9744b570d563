import { installLinter } from './lint-template.ts';
import { installDynamodbLocal } from './servers/dynamodb-local.ts';
import { installLocalstack } from './servers/localstack.ts';
import { installMinistack } from './servers/ministack.ts';
import { installRuntimeClient } from './servers/runtime-client.ts';

/**
 * Installs the requirements of test:aws and test:package, so that CI downloads them while it does other work.
 * Otherwise, a lane installs the missing ones itself.
 */
const installs = await Promise.allSettled([
  installRuntimeClient(), // first, because it compiles longest
  installDynamodbLocal(),
  installLocalstack(),
  installMinistack(),
  installLinter(),
]);
const failures = installs.flatMap((install) => (install.status === 'rejected' ? [install.reason] : []));
for (const failure of failures) console.error(String(failure));
process.exitCode = failures.length > 0 ? 1 : 0;
