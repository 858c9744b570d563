import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

/**
 * Any Unicode character, for `unit` of fc.string. Its own 'binary' is equivalent, but builds a table of all of them first: a
 * second of CPU time in each file that uses it.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map((place) => String.fromCodePoint(place < SURROGATES.first ? place : place + SURROGATES.count));
