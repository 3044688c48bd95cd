import './config/thread-pool';
import { processEnvironment, InvalidSettings } from './config/read-environment';
import { readSettings } from './config/settings';
import { serve } from './serve';

/**
 * Starts the built service from settings alone, in production mode unless NODE_ENV says otherwise.
 */
async function main(): Promise<void> {
  await serve(readSettings(processEnvironment('production')));
}

main().catch((error: Error) => {
  process.stderr.write(`${error instanceof InvalidSettings ? error.message : error.stack}\n`);
  process.exit(1);
});
