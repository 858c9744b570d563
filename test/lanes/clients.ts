import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installOnce } from '../../infra/install-once.ts';
import { openApiText } from '../../infra/openapi.ts';
import { startFakeOpenai } from '../support/fakes/fake-openai.ts';
import { startService } from '../support/service.ts';
import { cleanUp, tempFolder } from '../support/temp-folder.ts';
import { TOUR } from './clients/tour.ts';
import { installPython, runCommand } from './servers/install.ts';

/** A client that openapi-generator makes of our document goes through the tour against a running service. */
const GENERATOR = '7.23.0';
const PYTHON_PACKAGES = [
  'pydantic==2.14.3',
  'python-dateutil==2.9.0.post0',
  'typing-extensions==4.16.0',
  'urllib3==2.8.0',
];
const MAVEN = 'https://repo1.maven.org/maven2/org/openapitools/openapi-generator-cli';

const generator = await installOnce('openapi-generator', GENERATOR, async (folder) => {
  const address = `${MAVEN}/${GENERATOR}/openapi-generator-cli-${GENERATOR}.jar`;
  await runCommand('curl', ['-sSfL', '--retry', '3', '-o', join(folder, 'cli.jar'), address]);
});
const python = await installOnce('openapi-generator-python', GENERATOR, (folder) =>
  installPython(folder, '3.12', PYTHON_PACKAGES),
);
const work = await tempFolder();
const provider = await startFakeOpenai();
const service = await startService({ PROVIDER_A_BASE_URL: provider.url });
try {
  const document = join(work, 'openapi.json');
  const tour = join(work, 'tour.json');
  const client = join(work, 'python');
  await writeFile(document, openApiText());
  await writeFile(tour, JSON.stringify(TOUR));
  const jar = join(generator, 'cli.jar');
  await runCommand('java', ['-jar', jar, 'generate', '-i', document, '-g', 'python', '-o', client]);
  const program = join(import.meta.dirname, 'clients/tour_openapi_generator.py');
  const args = [program, service.url, 'none', 'tour', tour, document];
  const env = { PATH: process.env.PATH, PYTHONPATH: client };
  const said = await runCommand(join(python, 'bin/python'), args, { env });
  console.log(`openapi-generator ${GENERATOR} python  ${said.trim()}`);
} finally {
  await service.stop();
  await provider.stop();
  await cleanUp();
}
