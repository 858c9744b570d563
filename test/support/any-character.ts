import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

/**
 * Any character of Unicode, for `unit` of fc.string. Its own 'binary' is the same, but lays out a table of all of them
 * first: a second of the processor in each file that asks for it.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map((place) => String.fromCodePoint(place < SURROGATES.first ? place : place + SURROGATES.count));
