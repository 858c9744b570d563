import fc from 'fast-check';
import { anyCharacter } from '../any-character.ts';

const SEGMENTS = [
  ...[
    '..',
    '.',
    '...',
    '....',
    '%2e%2e',
    '.%2e',
    '%252e%252e',
    '..%00',
    '..%c0%af',
    '%c0%ae%c0%ae',
    '%ff',
    '%zz',
    '..;',
  ],
  ...['\uff0e\uff0e', '\u2024\u2024', '\u2025', '..\u2215', '..\\', '.. ', ' ..', '..\t'],
  ...[
    'out',
    'out-file',
    'up',
    'dangling',
    'loop',
    'in',
    'OUT',
    'Up',
    'folder',
    'a.txt',
    'secret.txt',
    'outside',
    'other',
    'w-and-more',
  ],
  ...[
    'CON',
    'NUL',
    'aux.txt',
    'COM1',
    'name:stream',
    'a.',
    'a ',
    ' a',
    '~',
    '$HOME',
    '`id`',
    '*',
    '-rf',
    '__proto__',
    'constructor',
  ],
  ...[
    '\u202Egpj.txt',
    'e\u0301',
    '\u00e9',
    '\ud800',
    '\udfff',
    'a\udc00b',
    '😀',
    '\0',
    'a\0.txt',
    '\r\n',
    '\u0001',
    '\ufeff',
  ],
  ...[
    'x'.repeat(255),
    'x'.repeat(256),
    'ä'.repeat(128),
    'x'.repeat(4000),
    '.git',
    '.wrs-01234567-89ab-cdef-0123-456789abcdef.tmp',
  ],
];
const PREFIXES = [
  '',
  '',
  '',
  '',
  './',
  '../',
  '/',
  '//',
  '~/',
  'C:\\',
  'file:///',
  '\\\\host\\',
  '%2f',
  '/etc/',
  '/proc/self/root/',
  'up/',
  'out/',
];
const SUFFIXES = ['', '', '', '/', '.', ' ', '\0', '/.', '/..', '%00', '#', '?', '/../..', '/a'.repeat(200)];
const JOINTS = ['/', '/', '/', '//', '/./', '\\', '%2f', '%252f', '\u2215', '%5c'];

/** Returns an attacker's paths. None of them may reach the directory `outside`. */
export function hostilePaths(outside: string): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom(...PREFIXES, `${outside}/`),
      fc.array(
        fc.oneof(
          { weight: 4, arbitrary: fc.constantFrom(...SEGMENTS) },
          fc.string({ unit: anyCharacter, maxLength: 8 }),
        ),
        { minLength: 1, maxLength: 5 },
      ),
      fc.constantFrom(...JOINTS),
      fc.constantFrom(...SUFFIXES),
    )
    .map(([prefix, segments, joint, suffix]) => prefix + segments.join(joint) + suffix);
}
