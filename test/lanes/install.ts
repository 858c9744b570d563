import { installLinter } from './lint-template.ts';
import { installDynamodbLocal } from './servers/dynamodb-local.ts';
import { installLocalstack } from './servers/localstack.ts';
import { installMinistack } from './servers/ministack.ts';
import { installRuntimeClient } from './servers/runtime-client.ts';

/**
 * Installs what test:aws and test:package need, so that CI waits for the network while it does something else. A lane
 * installs by itself what is missing here.
 */
const installs = await Promise.allSettled([
  installRuntimeClient(), // first: it compiles longest
  installDynamodbLocal(),
  installLocalstack(),
  installMinistack(),
  installLinter(),
]);
const failures = installs.flatMap((install) => (install.status === 'rejected' ? [install.reason] : []));
for (const failure of failures) console.error(String(failure));
process.exitCode = failures.length > 0 ? 1 : 0;
