import { createReadStream, statSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '../../lib/adapters/disk/atomic-file.ts';
import {
  ENGINE_FILES,
  engineFolder,
  LANGUAGE,
  LANGUAGE_FILE,
  type RecognitionManifest,
} from '../../lib/adapters/tesseract/manifest.ts';
import { tesseractRecognizer } from '../../lib/adapters/tesseract/recognizer.ts';
import { InvalidInput } from '../../lib/errors.ts';
import { findOwnFile } from '../../lib/isolation/folders-above.ts';
import { sha256 } from '../../lib/paths/hash.ts';
import { describeFile, type InstalledFile, manifestPath } from '../../lib/paths/installed-files.ts';
import { installPackages } from '../install-packages.ts';
import { asOnlyInstaller, INSTALL_LOCK } from '../only-installer.ts';
import { writeManifest } from '../write-manifest.ts';

const PACKAGES = findOwnFile(import.meta.dirname, 'infra/recognition/packages') ?? '';
/** The smaller of two models per language, with integer weights; the loss of accuracy is hardly measurable. */
const LANGUAGES = {
  [`eng${LANGUAGE_FILE}`]: `@tesseract.js-data/eng/4.0.0_best_int/eng${LANGUAGE_FILE}`,
  [`chi_sim${LANGUAGE_FILE}`]: `@tesseract.js-data/chi_sim/4.0.0_best_int/chi_sim${LANGUAGE_FILE}`,
};
/** Number of characters of the hash that distinguish installations. */
const HASH_CHARACTERS = 8;

/** All names that the folder may contain. */
const OWN = ['manifest.json', 'engine', 'packages', '.unfinished', INSTALL_LOCK];

/**
 * Installs the engine and its languages, from npm packages or from a folder with the same files. An earlier
 * installation stays until these are found. The manifest is written last, after the engine has read an image, so an
 * interrupted installation leaves nothing installed, and the next call repeats it.
 */
export async function installRecognition(
  folder: string,
  from: string | undefined,
): Promise<RecognitionManifest> {
  await refuseOthersFolder(folder);
  return asOnlyInstaller(folder, () => installEngine(folder, from));
}

async function installEngine(folder: string, from: string | undefined): Promise<RecognitionManifest> {
  const { places, source } = from === undefined ? await fetchFiles(folder) : await findFiles(from);
  await rm(manifestPath(folder), { force: true });
  for (const [name, place] of Object.entries(places)) {
    const to = join(engineFolder(folder), name);
    await writeFileAtomically(join(folder, '.unfinished'), to, createReadStream(place));
  }
  await removeFormer(folder, Object.keys(places));
  const manifest = await describeEngine(folder, Object.keys(places), source);
  await tryEngine(folder, manifest);
  await writeManifest(folder, manifest);
  return manifest;
}

export async function removeRecognition(folder: string): Promise<void> {
  await refuseOthersFolder(folder);
  await rm(folder, { recursive: true, force: true });
}

/** Throws if RECOGNITION_DIR names a folder with other content, so that nothing there is overwritten or removed. */
async function refuseOthersFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new InvalidInput('install_refused', `${folder} can't be read: ${error.message}`);
  });
  const other = names.find((name) => !OWN.includes(name));
  if (other === undefined) return;
  throw new InvalidInput(
    'install_refused',
    `${folder} contains other files, such as ${other}. The OCR engine needs a folder of its own.`,
  );
}

async function removeFormer(folder: string, names: string[]): Promise<void> {
  await rm(packagesFolder(folder), { recursive: true, force: true });
  const former = (await readdir(engineFolder(folder))).filter((name) => !names.includes(name));
  for (const name of former) await rm(join(engineFolder(folder), name), { recursive: true });
}

/** The source of each file. */
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

/** Returns the files of all languages in the folder. */
async function findFiles(from: string): Promise<Found> {
  const names = await readdir(from).catch(() => {
    throw new InvalidInput('install_refused', `${from} can't be read. Check the path.`);
  });
  const languages = names.filter(isLanguage);
  if (languages.length === 0)
    throw new InvalidInput('install_refused', `${from} has no language file (NAME${LANGUAGE_FILE}).`);
  const wanted = [...Object.keys(ENGINE_FILES), ...languages];
  const places = wanted.map((name) => [name, join(from, name)] as const);
  const lacking = places.filter(([, place]) => !statSync(place, { throwIfNoEntry: false })?.isFile());
  if (lacking.length > 0)
    throw new InvalidInput('install_refused', `${from} has no ${lacking.map(([name]) => name).join(', ')}.`);
  return { places: Object.fromEntries(places), source: from };
}

/** Excludes files that operating systems add (`._eng…`). */
function isLanguage(name: string): boolean {
  return name.endsWith(LANGUAGE_FILE) && LANGUAGE.test(name.slice(0, -LANGUAGE_FILE.length));
}

async function describeEngine(folder: string, names: string[], source: string): Promise<RecognitionManifest> {
  const files: Record<string, InstalledFile> = {};
  for (const name of names) files[name] = await describeFile(join(engineFolder(folder), name));
  const languages = names
    .filter((name) => name.endsWith(LANGUAGE_FILE))
    .map((name) => name.slice(0, -LANGUAGE_FILE.length))
    .sort((a, b) => Number(b === 'eng') - Number(a === 'eng') || (a < b ? -1 : 1));
  const hash = await sha256(Buffer.from(JSON.stringify(files)));
  const id = `${languages.join('+')}@${hash.slice(0, HASH_CHARACTERS)}`;
  return { id, languages, source, installedAt: new Date().toISOString(), files };
}

/** Reads a white image in a process with limits, as for later images. */
async function tryEngine(folder: string, manifest: RecognitionManifest): Promise<void> {
  const head = Buffer.from('P5\n64 64\n255\n');
  const bytes = Buffer.concat([head, Buffer.alloc(64 * 64, 255)]);
  await tesseractRecognizer(folder, manifest).readPage({ format: 'picture', bytes, page: 1 });
}
