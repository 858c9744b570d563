import { describe, expect, it } from '@jest/globals';
import { effectsText } from '../../../lib/api-contract/call-effects.ts';
import { effectsOfLine } from '../../../lib/permissions/effects.ts';

async function read(line: string): Promise<string> {
  return effectsText(await effectsOfLine(line));
}

const UNKNOWN = 'Runs a command: effects unknown';
const SOME = 'Deletes files: names unknown';

describe('the effects of a shell line', () => {
  it.each([
    ['rm -rf data', 'Deletes data'],
    ['rm data/run-1.csv "a b.txt"', 'Deletes data/run-1.csv, a b.txt'],
    ['/bin/rm -- -x', 'Deletes -x'],
    ['rm a b c d', 'Deletes 4 files or folders'],
    ['cd data && rm run-1.csv', 'Deletes data/run-1.csv'],
    ['timeout 5 rm x', 'Deletes x'],
    ['bash -c "rm x"', 'Deletes x'],
    ['if [ -f x ]; then rm x; fi', 'Deletes x'],
    ['rm -r ./../b/', 'Deletes ../b'],
    ['rm ..a/b', 'Deletes ..a/b'],
    ['find . -exec rm x \\;', 'Deletes x · Runs find . -exec rm x ;'],
    ['rmdir old', 'Deletes old'],
    ['mv a.md notes/', 'Moves a.md to notes'],
    ['cp -r a b', 'Copies a to b'],
    ['mkdir -p x/y', 'Creates the folder x/y'],
    ['echo hello > out.txt', 'Writes out.txt'],
    ['ls | tee list.txt', 'Writes list.txt'],
    ['python3 script.py', 'Runs python3 script.py'],
    ['python3 x.py > out.txt', 'Writes out.txt · Runs python3 x.py'],
    ['git commit -m "a b"', 'Runs git commit -m "a b"'],
    ['ls -la', 'Runs ls -la'],
    ['cat a; head b', 'Runs cat a · Runs head b'],
    ['sort -o a b', 'Runs sort -o a b'],
    ['mv 2024-*.md meetings/', 'Runs mv 2024-*.md meetings/'],
    ['python3 x.py $(cat names)', 'Runs python3 x.py "$(cat names)"'],
    ['mv $a $b', 'Runs mv … …'],
    ['rm x && python3 y.py', 'Deletes x · Runs python3 y.py'],
    ['touch a; rm b', 'Deletes b · Writes a'],
  ])('%s: %s', async (line, text) => {
    expect(await read(line)).toBe(text);
  });

  it.each([
    ['rm *.csv', SOME],
    ['rm "$f"', SOME],
    ['f=data; rm -rf $f', SOME],
    ['rm --no-such-option x', SOME],
    ['cd a; rm x', SOME],
    ['cd a && cd b && rm x', SOME],
    ['(cd a && rm x)', SOME],
    ['pushd a && rm x', SOME],
    ['cd "$d" && rm x', SOME],
    ['find . -name "*.tmp" -delete', `${SOME} · Runs find . -name *.tmp -delete`],
    ['find . -exec rm {} +', `${SOME} · Runs find . -exec rm {} +`],
    ['ls | xargs rm', SOME],
    ['rm -r a/../b', SOME],
    ['rm -r ./a//./../b', SOME],
    ['rm -r /tmp/a/..', SOME],
    ['cd a && rm -rf ../b', SOME],
    ['cd a/../b && rm x', SOME],
    ['find a -execdir rm x \\;', SOME],
    ["find a -execdir sh -c 'rm x' \\;", SOME],
    ["find a -execdir sh -c 'echo x > y' \\;", UNKNOWN],
    ['mv a/../b c', 'Runs mv a/../b c'],
    ['echo x > a/../b', UNKNOWN],
    ['cp -r a/. b', `Copies a to b · ${UNKNOWN}`],
    ['$x data', UNKNOWN],
    ['cd a; echo x > b', UNKNOWN],
    ['rm x; $y', `Deletes x · ${UNKNOWN}`],
    ['echo "unclosed', UNKNOWN],
    [`echo ${'x'.repeat(6000)}`, UNKNOWN],
    ['', UNKNOWN],
  ])('marks what is not certain: %s', async (line, text) => {
    expect(await read(line)).toMatch(new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`));
  });

  it('never hides a command that may do anything behind one that is known', async () => {
    expect(await read("[ -v 'a[$(rm y)]' ] && touch x")).toMatch(/Runs \[ -v/);
    expect(await read('ls() { python3 evil.py; }; ls && touch x')).toMatch(/Runs python3 evil.py/);
    expect(await read('constructor x; toString')).toBe(UNKNOWN);
  });

  it('keeps deletions when there are many effects, and says that there are more', async () => {
    const touched = Array.from({ length: 40 }, (_, at) => `touch f${at}`).join('; ');
    const effects = await effectsOfLine(`${touched}; rm -rf last`);
    expect(effects).toHaveLength(12);
    expect(effects[0]).toEqual({ kind: 'deletes', path: 'last' });
    expect(effectsText(effects)).toBe('Deletes last · Writes f0 · Writes f1 · Writes f2 · 8 more');
    expect(effects.at(-1)).toEqual({ kind: 'unknown' });
  });
});
