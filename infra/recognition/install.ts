import { createReadStream, existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '../../lib/adapters/disk/atomic-file.ts';
import {
  ENGINE_FILES,
  engineFolder,
  LANGUAGE_FILE,
  type RecognitionManifest,
} from '../../lib/adapters/tesseract/manifest.ts';
import { tesseractRecognizer } from '../../lib/adapters/tesseract/recognizer.ts';
import { InvalidInput } from '../../lib/errors.ts';
import { sha256 } from '../../lib/paths/hash.ts';
import { describeFile, type InstalledFile, manifestPath } from '../../lib/paths/installed-files.ts';
import { installPackages } from '../install-packages.ts';
import { writeManifest } from '../write-manifest.ts';

const PACKAGES = join(import.meta.dirname, 'packages');
/** Of each language the smaller of two sets, with whole numbers; what it misses more is hardly to be measured. */
const LANGUAGES = {
  [`eng${LANGUAGE_FILE}`]: `@tesseract.js-data/eng/4.0.0_best_int/eng${LANGUAGE_FILE}`,
  [`chi_sim${LANGUAGE_FILE}`]: `@tesseract.js-data/chi_sim/4.0.0_best_int/chi_sim${LANGUAGE_FILE}`,
};
/** How many characters of the hash tell installations apart. */
const HASH_CHARACTERS = 8;

/**
 * The engine and its languages, out of packages of npm or of a folder that has the same files. The manifest comes last, when the
 * engine has read a picture: cut short before, nothing is installed, and the next call does all of it again.
 */
export async function installRecognition(
  folder: string,
  from: string | undefined,
): Promise<RecognitionManifest> {
  await rm(manifestPath(folder), { force: true });
  await rm(engineFolder(folder), { recursive: true, force: true });
  const { places, source } = from === undefined ? await fetchFiles(folder) : await findFiles(from);
  for (const [name, place] of Object.entries(places)) {
    const to = join(engineFolder(folder), name);
    await writeFileAtomically(join(folder, '.unfinished'), to, createReadStream(place));
  }
  await rm(packagesFolder(folder), { recursive: true, force: true });
  const manifest = await describeEngine(folder, Object.keys(places), source);
  await tryEngine(folder, manifest);
  await writeManifest(folder, manifest);
  return manifest;
}

/** Where each file is to be taken from. */
interface Found {
  places: Record<string, string>;
  source: string;
}

function packagesFolder(folder: string): string {
  return join(folder, 'packages');
}

async function fetchFiles(folder: string): Promise<Found> {
  const packages = packagesFolder(folder);
  await installPackages(PACKAGES, packages);
  const { dependencies } = JSON.parse(await readFile(join(PACKAGES, 'package.json'), 'utf8'));
  const places = Object.entries({ ...ENGINE_FILES, ...LANGUAGES }).map(([name, path]) => [
    name,
    join(packages, 'node_modules', path),
  ]);
  const versions = Object.entries(dependencies as object).map(([name, version]) => `${name} ${version}`);
  return { places: Object.fromEntries(places), source: versions.join(', ') };
}

/** All languages that lie in the folder. */
async function findFiles(from: string): Promise<Found> {
  const names = await readdir(from).catch(() => {
    throw new InvalidInput(`${from} cannot be read`);
  });
  const wanted = [...Object.keys(ENGINE_FILES), ...names.filter((name) => name.endsWith(LANGUAGE_FILE))];
  const lacking = wanted.filter((name) => !existsSync(join(from, name)));
  if (lacking.length > 0) throw new InvalidInput(`${from} has no ${lacking.join(', ')}`);
  return { places: Object.fromEntries(wanted.map((name) => [name, join(from, name)])), source: from };
}

async function describeEngine(folder: string, names: string[], source: string): Promise<RecognitionManifest> {
  const files: Record<string, InstalledFile> = {};
  for (const name of names) files[name] = await describeFile(join(engineFolder(folder), name));
  const languages = names
    .filter((name) => name.endsWith(LANGUAGE_FILE))
    .map((name) => name.slice(0, -LANGUAGE_FILE.length))
    .sort((a, b) => Number(b === 'eng') - Number(a === 'eng') || (a < b ? -1 : 1));
  if (languages.length === 0) throw new InvalidInput(`no language: there is no NAME${LANGUAGE_FILE}`);
  const hash = await sha256(Buffer.from(JSON.stringify(files)));
  const id = `${languages.join('+')}@${hash.slice(0, HASH_CHARACTERS)}`;
  return { id, languages, source, installedAt: new Date().toISOString(), files };
}

/** White; as it will be read: in a process with bounds. */
async function tryEngine(folder: string, manifest: RecognitionManifest): Promise<void> {
  const head = Buffer.from('P5\n64 64\n255\n');
  const bytes = Buffer.concat([head, Buffer.alloc(64 * 64, 255)]);
  await tesseractRecognizer(folder, manifest).readPage({ format: 'picture', bytes, page: 1 });
}
