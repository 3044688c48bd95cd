import { getMetadataStorage } from 'class-validator';
import { readFileSync } from 'node:fs';
import { Environment } from '../../src/config/environment';

/** The names of the variables in a text in .env format. */
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

  it('lists exactly the settings of the service', () => expect(namesIn(text)).toEqual(declared));

  it('explains every setting in a comment above it or above its group', () => {
    for (const group of text.split('\n\n').slice(1)) expect(group).toMatch(/^# .{10,}/);
  });

  it('is reported with a missing or an unknown setting', () => {
    expect(namesIn(text.replace(/^PORT=.*$/m, ''))).not.toEqual(declared);
    expect(namesIn(`${text}\nSURPRISE=1`)).not.toEqual(declared);
  });
});
