import * as z from 'zod';
import { authVariables, readAuth } from './config/auth.ts';
import { botsVariables, readBots } from './config/bots.ts';
import { cloudVariables, readAws, readRecognition, readVectors } from './config/cloud.ts';
import { executionVariables, readExecution } from './config/execution.ts';
import { modelsVariables, readModels } from './config/models.ts';
import { readService, serviceVariables } from './config/service.ts';
import { readSources, sourcesVariables } from './config/sources.ts';
import { setLogLevel } from './log.ts';
import { countFor } from './telemetry/metrics.ts';

/**
 * Every setting of the service, read once from the environment, grouped by subject. Nothing else in lib and
 * functions reads `process.env`, except lib/isolation/start-process.ts, which passes on four system
 * variables. docs/reference/configuration.md has the same list (test/infra/configuration.test.ts).
 */
export const environmentSchema = z.object({
  ...serviceVariables,
  ...authVariables,
  ...modelsVariables,
  ...sourcesVariables,
  ...executionVariables,
  ...botsVariables,
  ...cloudVariables,
});
type Environment = z.infer<typeof environmentSchema>;

export type Config = ReturnType<typeof parseConfig>;

/** Returns the settings of this process as `parseConfig` does. In a function, also starts its log and its counters. */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const config = parseConfig(environment);
  if (config.deployed) {
    // A function has no other place to set its log level.
    setLogLevel(config.logLevel);
    countFor(config.stage);
  }
  return config;
}

/**
 * Returns the settings. Throws one Error that names every missing or invalid variable. Empty variables count as unset.
 */
export function parseConfig(environment: Record<string, string | undefined>) {
  const env = parseEnvironment(environment);
  const service = readService(env);
  return {
    ...service,
    auth: readAuth(env),
    ...readModels(env),
    ...readSources(env),
    ...readExecution(env),
    recognition: readRecognition(env, service.dataDir),
    vectors: readVectors(env),
    bots: readBots(env),
    aws: readAws(env, environment),
  };
}

/** Most programs also accept the lower-case names. The upper-case ones take precedence. */
const SMALL = ['http_proxy', 'https_proxy', 'no_proxy'];

function parseEnvironment(environment: Record<string, string | undefined>): Environment {
  const set: Record<string, string> = {};
  const problems: string[] = [];
  for (const [name, value = ''] of [
    ...SMALL.map((name) => [name.toUpperCase(), environment[name]] as const),
    ...Object.entries(environment),
  ]) {
    const text = value.trim();
    if (text !== '') set[name] = text;
    if (name in environmentSchema.shape && /^(["']).*\1$/.test(text))
      problems.push(`${name} has quotes around its value. Remove them.`);
  }
  const parsed = environmentSchema.safeParse(set);
  if (parsed.success && problems.length === 0) return parsed.data;
  const issues = parsed.error?.issues ?? [];
  // The schema's messages lack their subject, which is the variable. A list has an issue for each invalid
  // item, but its variable is named once.
  problems.push(...new Set(issues.map(({ path: [name], message }) => `${String(name)} ${message}.`)));
  throw new Error(['The configuration is invalid.', ...problems].join(problems.length === 1 ? ' ' : '\n'));
}
