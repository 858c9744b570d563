import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

const FILE = resolve(import.meta.dirname, '../../../infra/container/Dockerfile');

/** What the image of the service runs, and how. */
export interface Image {
  /** The command that installs the package, in the first stage. */
  install: string;
  env: Record<string, string>;
  user: number;
  folder: string;
  command: string[];
  healthcheck: string[];
}

/** Reads the Dockerfile, as far as it is in the form that this file has. */
export async function readDockerfile(): Promise<Image> {
  const text = (await readFile(FILE, 'utf8')).replace(/\\\n\s*/g, '');
  const last = (pattern: RegExp) => [...text.matchAll(pattern)].at(-1)?.[1] ?? '';
  const env = last(/^ENV (.+)$/gm).split(/ +/);
  return {
    install: last(/^RUN (npm install .+)$/gm),
    env: Object.fromEntries(env.map((each) => each.split(/=(.*)/s, 2))),
    user: Number(last(/^USER (\d+):\d+$/gm)),
    folder: last(/^WORKDIR (.+)$/gm),
    command: JSON.parse(last(/^CMD (\[.+\])$/gm)),
    healthcheck: JSON.parse(last(/^HEALTHCHECK .*? CMD (\[.+\])$/gm)),
  };
}
