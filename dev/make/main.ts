import { make } from './make-sources';
import { Refusal } from './make-refusal';

// `npm run make:<kind>`: writes sources, edits the lists they belong to, and says what it did.
make(process.cwd(), process.argv.slice(2)).then(
  (report) => process.stdout.write(report),
  (error: unknown) => {
    process.stderr.write(error instanceof Refusal ? `${error.message}\nNothing was changed.\n` : `${String(error)}\n`);
    process.exitCode = 1;
  },
);
