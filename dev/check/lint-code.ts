import { LINT_STEPS } from './lint-steps';
import { runSteps } from './check-steps';

// `npm run lint`
void runSteps('lint', LINT_STEPS);
