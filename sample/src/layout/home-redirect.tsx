import { Navigate } from 'react-router';
import { useNavigationItems } from './navigation';

/** The first place where one's role leads to. */
export default function HomeRedirect() {
  return <Navigate to={useNavigationItems()[0]?.to ?? '/account'} replace />;
}
