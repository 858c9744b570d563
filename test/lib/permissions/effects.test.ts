import { describe, expect, it } from '@jest/globals';
import { effectsText } from '../../../lib/api-contract/call-effects.ts';
import { effectsOfLine } from '../../../lib/permissions/effects.ts';

function read(line: string): string {
  return effectsText(effectsOfLine(line));
}

const UNKNOWN = 'Runs a command: effects unknown';
const SOME = 'Deletes files: names unknown';

describe('effects of a shell line', () => {
  it.each([
    ['rm -rf data', 'Deletes data'],
    ['rm data/run-1.csv "a b.txt"', 'Deletes data/run-1.csv, a b.txt'],
    ['/bin/rm -- -x', 'Deletes -x'],
    ['rm a b c d', 'Deletes 4 files or folders'],
    ['cd data && rm run-1.csv', 'Deletes data/run-1.csv'],
    ['timeout 5 rm x', 'Deletes x'],
    ['rm -r ./../b/', 'Deletes ../b'],
    ['rm ..a/b', 'Deletes ..a/b'],
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
    ['git constructor x', 'Runs git constructor x'],
    ['cat a; head b', 'Runs cat a · Runs head b'],
    ['sort -o a b', 'Runs sort -o a b'],
    ['mv 2024-*.md meetings/', 'Runs mv 2024-*.md meetings/'],
    ['mv a $b', 'Runs mv a $b'],
    ['rm x && python3 y.py', 'Deletes x · Runs python3 y.py'],
    ['touch a; rm b', 'Deletes b · Writes a'],
  ])('are for %s: %s', (line, text) => {
    expect(read(line)).toBe(text);
  });

  it.each([
    ['rm *.csv', SOME],
    ['rm "$f"', SOME],
    ['f=data; rm -rf $f', SOME],
    ['rm --no-such-option x', SOME],
    ['cd a; rm x', SOME],
    ['cd a && cd b && rm x', SOME],
    ['pushd a && rm x', SOME],
    ['cd "$d" && rm x', SOME],
    ['cd ~ && rm x', SOME],
    ['cd s[r]c && rm x', SOME],
    ['cd a* && echo x > b', UNKNOWN],
    ['find . -name "*.tmp" -delete', `${SOME} · Runs find . -name *.tmp -delete`],
    ['ls | xargs rm', SOME],
    ['rm -r a/../b', SOME],
    ['rm -r ./a//./../b', SOME],
    ['rm -r /tmp/a/..', SOME],
    ['cd a && rm -rf ../b', SOME],
    ['cd a/../b && rm x', SOME],
    ['mv a/../b c', 'Runs mv a/../b c'],
    ['echo x > a/../b', UNKNOWN],
    ['cp -r a/. b', `Copies a to b · ${UNKNOWN}`],
    ['$x data', UNKNOWN],
    ['cd a; echo x > b', UNKNOWN],
    ['rm x; $y', `Deletes x · ${UNKNOWN}`],
    ['echo "unclosed', UNKNOWN],
    ['mv $a $b', UNKNOWN],
    ['bash -c "rm x"', `${UNKNOWN} · Runs bash -c "rm x"`],
    ['if [ -f x ]; then rm x; fi', `Deletes x · ${UNKNOWN}`],
    ['for f in *; do rm "$f"; done', `${SOME} · ${UNKNOWN}`],
    ['find . -exec rm x \\;', `${UNKNOWN} · Runs find . -exec rm x ;`],
    ['python3 x.py $(cat names)', UNKNOWN],
    ['(cd a && rm x)', UNKNOWN],
    ['ls -l; a=()`rm -rf src`', UNKNOWN],
    ['cd a > b && rm x', SOME],
    [`echo ${'x'.repeat(6000)}`, UNKNOWN],
    ['', UNKNOWN],
  ])('mark uncertain effects: %s', (line, text) => {
    expect(read(line)).toMatch(new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`));
  });

  it('never hide a command with unknown effects behind a command with known effects', () => {
    expect(read("[ -v 'a[$(rm y)]' ] && touch x")).toMatch(/Runs \[ -v/);
    expect(read('python3 evil.py; ls && touch x')).toMatch(/Runs python3 evil.py/);
    expect(read('constructor x; toString')).toBe('Runs constructor x · Runs toString');
  });

  it('keep deletions if there are many effects, and report the omission of other effects', () => {
    const touched = Array.from({ length: 40 }, (_, at) => `touch f${at}`).join('; ');
    const effects = effectsOfLine(`${touched}; rm -rf last`);
    expect(effects).toHaveLength(12);
    expect(effects[0]).toEqual({ kind: 'deletes', path: 'last' });
    expect(effectsText(effects)).toBe('Deletes last · Writes f0 · Writes f1 · Writes f2 · 8 more');
    expect(effects.at(-1)).toEqual({ kind: 'unknown' });
  });
});
