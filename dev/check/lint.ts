import { LINT_STEPS } from './lint-steps';
import { runSteps } from './steps';

// `npm run lint`
void runSteps('lint', LINT_STEPS);
