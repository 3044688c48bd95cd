import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';

const INTERVAL_MICROSECONDS = 200;

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.setSamplingInterval', { interval: INTERVAL_MICROSECONDS });
let isRunning = false;

/**
 * Loaded into a server before anything else (`node --require`). SIGUSR2 begins a CPU profile; the
 * next one writes it to the file that PROFILE_FILE names.
 */
process.on('SIGUSR2', () => {
  isRunning = !isRunning;
  if (isRunning) return session.post('Profiler.start');
  session.post('Profiler.stop', (error, { profile }) => {
    if (error) throw error;
    writeFileSync(process.env.PROFILE_FILE!, JSON.stringify(profile));
  });
});
