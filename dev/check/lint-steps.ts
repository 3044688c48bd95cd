import { program, type Step } from './check-steps';

const CACHE = 'node_modules/.cache';
const ESLINT = 'eslint/bin/eslint.js --cache --cache-strategy content --cache-location';
const PAGES = ['client', 'panel', 'sample'];

/**
 * Lint of code and the check of its format. Two processes share the code, because the types of the
 * pages and those of the service have little in common.
 */
export const LINT_STEPS: readonly Step[] = [
  program('lint of the pages', `${ESLINT} ${CACHE}/eslint-pages/ ${PAGES.join(' ')}`),
  program(
    'lint of all else',
    `${ESLINT} ${CACHE}/eslint/ . ${PAGES.map((name) => `--ignore-pattern ${name}/`).join(' ')}`,
  ),
  program('format', 'prettier/bin/prettier.cjs --cache --check --log-level warn .'),
];
