import { getMetadataStorage } from 'class-validator';
import { readFileSync } from 'node:fs';
import { Environment } from '../../src/config/environment';

/** The names that a text in the form of an .env file sets. */
const namesIn = (text: string) => [...text.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name).sort();
const declared = [
  ...new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(Environment, '', true, false)
      .map(({ propertyName }) => propertyName),
  ),
].sort();

describe('.env.example', () => {
  const text = readFileSync('.env.example', 'utf8');

  it('names every setting, and no other', () => expect(namesIn(text)).toEqual(declared));

  it('explains every setting above it, or above its group', () => {
    for (const group of text.split('\n\n').slice(1)) expect(group).toMatch(/^# .{10,}/);
  });

  it('would not pass with a setting too few or too many', () => {
    expect(namesIn(text.replace(/^PORT=.*$/m, ''))).not.toEqual(declared);
    expect(namesIn(`${text}\nSURPRISE=1`)).not.toEqual(declared);
  });
});
