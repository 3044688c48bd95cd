import { api } from '../api';
import { useApiQuery } from '../components/use-api-query';
import { SuggestionFilter } from '../filters/suggestion-filter';

/** A filter by the tasks that are in the queue. */
export const TaskFilter = () => {
  const { data } = useApiQuery(['queues'], () => api.GET('/admin/jobs/queues'));
  return <SuggestionFilter source="task" label="Task" options={data?.items.map(({ task }) => task) ?? []} />;
};
