import { Navigate } from 'react-router';
import { useNavigationItems } from './navigation';

/** Opens the first page that the user's role may see. */
export default function HomeRedirect() {
  return <Navigate to={useNavigationItems()[0]?.to ?? '/account'} replace />;
}
