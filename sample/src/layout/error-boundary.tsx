import { Alert, Button } from '@mui/material';
import { Component, type ReactNode, Suspense } from 'react';
import { LoadingScreen } from './loading-screen';

/**
 * Shows a page as soon as its code is loaded, or an error: after a new version was deployed, the
 * code of the previous one may be gone.
 */
export class ErrorBoundary extends Component<{ children: ReactNode }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError = () => ({ hasFailed: true });

  override render(): ReactNode {
    if (!this.state.hasFailed) return <Suspense fallback={<LoadingScreen />}>{this.props.children}</Suspense>;
    const reload = (
      <Button color="inherit" onClick={() => location.reload()}>
        Reload
      </Button>
    );
    return (
      <Alert severity="error" action={reload}>
        This page couldn’t be loaded. Reload to try again.
      </Alert>
    );
  }
}
