import { type Caller, requireAdminOfAll } from '../access/caller.ts';
import type { ErrorCode } from '../error-codes.ts';
import { Conflict, InvalidInput, UpstreamFailed } from '../errors.ts';
import { ISOLATION_ERRORS } from '../isolation/isolated-process.ts';
import { runIsolated } from '../isolation/run-isolated.ts';
import type { TimedRecords } from '../ports/timed-records.ts';
import { WEB_ERRORS, type Web } from '../ports/web.ts';
import { parseBoundedJson } from '../validation/bounded-json.ts';
import { invalidInput } from '../validation/describe-issues.ts';
import type { Workspace } from '../workspaces/schema.ts';
import { type ImportSkill, importedSkillSchema, type PortableSkill, type Skill } from './schema.ts';
import { readSkillMarkdown } from './skill-md.ts';
import { addSkill, newSkill, SAVE_SKILL_ERRORS } from './skills.ts';
import { slugVariants } from './slug.ts';

/** Error codes for importing a skill from a file or a URL. */
export const IMPORT_SKILL_ERRORS = [
  ...ISOLATION_ERRORS,
  ...SAVE_SKILL_ERRORS,
  ...WEB_ERRORS,
  'download_failed',
  'skill_file_invalid',
] as const satisfies ErrorCode[];

const MAX_DOWNLOAD_BYTES = 1024 * 1024;
const DOWNLOAD_TIMEOUT_MS = 10_000;
const MAX_SAME_SLUG = 100;

/**
 * Does the same as createSkill, from text, JSON, or a URL of either. If the slug is in use, adds a number.
 */
export async function importSkill(
  ports: TimedRecords & { web: Web },
  caller: Caller,
  workspace: Workspace | null,
  input: Pick<ImportSkill, 'content' | 'skill' | 'url'>,
): Promise<Skill> {
  if (workspace === null) requireAdminOfAll(caller);
  const skill = newSkill(ports, workspace, await readImport(ports.web, input));
  for (const slug of slugVariants(skill.slug, MAX_SAME_SLUG)) {
    const named = { ...skill, slug };
    if (await addSkill(ports, named)) return named;
  }
  throw new Conflict(
    'skill_slug_taken',
    `slug ${skill.slug} is already used, also with the numbers up to ${MAX_SAME_SLUG}. Choose another one.`,
    { field: 'slug' },
  );
}

async function readImport(
  web: Web,
  { content, skill, url }: Pick<ImportSkill, 'content' | 'skill' | 'url'>,
): Promise<PortableSkill> {
  if (skill !== undefined) return skill;
  if (content !== undefined) return readText(content, 'content');
  return readText(await download(web, url ?? ''), 'url');
}

function readText(text: string, place: string): PortableSkill {
  return /^\uFEFF?\s*\{/.test(text) ? readSkillJson(text, place) : readSkillMarkdown(text, place);
}

/** Returns the skill, or the body that an import of it would have. */
function readSkillJson(text: string, place: string): PortableSkill {
  const json = parseJson(text, place) as { skill?: unknown };
  const written = json.skill ?? json;
  const parsed = importedSkillSchema.safeParse(written);
  if (parsed.success) return parsed.data;
  throw invalidInput(parsed.error, importedSkillSchema, written, 'skill', `${place} isn't a valid skill. `);
}

function parseJson(text: string, place: string): unknown {
  try {
    return parseBoundedJson(text.replace(/^\uFEFF/, ''), place);
  } catch (error) {
    if (error instanceof InvalidInput) throw error;
    throw new InvalidInput('skill_file_invalid', `${place} must be a SKILL.md or valid JSON.`, {
      field: place,
    });
  }
}

async function download(web: Web, url: string): Promise<string> {
  const { status, contentType, bytes } = await web.fetchPublic(url, {
    maxBytes: MAX_DOWNLOAD_BYTES,
    timeoutMs: DOWNLOAD_TIMEOUT_MS,
    accept: 'text/markdown, application/json, text/plain;q=0.9, */*;q=0.5',
  });
  if (status !== 200)
    throw new UpstreamFailed('download_failed', `${new URL(url).hostname} returned status ${status}.`, {
      field: 'url',
    });
  if (contentType.startsWith('text/html'))
    throw new InvalidInput('skill_file_invalid', 'url leads to a web page. Use the URL of the plain file.', {
      field: 'url',
    });
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new InvalidInput('skill_file_invalid', 'url must lead to UTF-8 text.', { field: 'url' });
  }
}

const ZIP_LIMITS = { timeoutMs: 10_000, maxOutputBytes: 4 * 1024 * 1024 };

/** Returns the import body of a SKILL.md. Throws InvalidInput. */
export async function readSkillText(bytes: Uint8Array): Promise<{ content: string }> {
  try {
    return { content: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    throw new InvalidInput('skill_file_invalid', 'The file must be UTF-8 text.');
  }
}

/**
 * Returns the import body of a zip with a SKILL.md at the top or in its only folder, as packaged by other tools. Throws
 * InvalidInput.
 */
export async function readSkillZip(bytes: Uint8Array): Promise<{ content: string }> {
  const { program } = await import('./zip-program.ts');
  const content = await runIsolated(program, 'readSkill', { zip: new Uint8Array(bytes) }, ZIP_LIMITS);
  return { content };
}
