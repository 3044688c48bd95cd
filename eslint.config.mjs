import eslint from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { entityFields } from './dev/entity-fields-rule.mjs';

/** Written here once: two blocks that both set this rule would replace each other. */
const EVERYWHERE = [
  {
    selector: "MemberExpression[object.name='process'][property.name='env']",
    message: 'The environment is read in src/config/read-environment.ts only.',
  },
  { selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']", message: 'Ask the Clock.' },
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'Ask the Clock.' },
];

export default tseslint.config(
  { ignores: ['**/dist/', '**/node_modules/', '.data/', 'coverage/'] },
  eslint.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: {
          allowDefaultProject: ['*.js', '*.cjs', '*.mjs', 'dev/*.mjs', 'bench/peers/*.mjs', 'client/*.mjs'],
        },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      'no-console': 'error',
      'no-sequences': 'error',
      'no-void': ['error', { allowAsStatement: true }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    plugins: { tenantry: { rules: { 'entity-fields': entityFields } } },
    rules: { 'no-restricted-syntax': ['error', ...EVERYWHERE], 'tenantry/entity-fields': 'error' },
  },
  {
    files: ['src/config/read-environment.ts', 'src/config/thread-pool.ts', 'src/platform/clock.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  { files: ['panel/**/*.tsx', 'sample/**/*.tsx'], ...reactHooks.configs.flat.recommended },
  {
    // Answers of the service are whatever it sent: tests look into them without types.
    files: ['test/**/*.ts', '**/*.spec.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['**/*.mjs', '**/*.cjs', '*.js'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        performance: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        module: 'writable',
        __dirname: 'readonly',
        require: 'readonly',
      },
    },
    rules: { 'no-console': 'off' },
  },
);
