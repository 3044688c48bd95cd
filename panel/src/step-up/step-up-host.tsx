import { useEffect, useSyncExternalStore } from 'react';
import { stepUpQuestion } from './step-up-question';

/** Shows the dialog of an open question, above everything else of the signed-in operator. */
export const StepUpHost = () => {
  const question = useSyncExternalStore(stepUpQuestion.subscribe, stepUpQuestion.current);
  useEffect(() => stepUpQuestion.dismiss, []);
  return question && <question.Dialog answer={question.answer} />;
};
