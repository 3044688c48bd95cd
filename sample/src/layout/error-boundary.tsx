import { Alert, Button } from '@mui/material';
import { Component, type ReactNode, Suspense } from 'react';
import { LoadingScreen } from './loading-screen';

/**
 * Holds a page until it is loaded, and says so when that fails: after a new version, old parts of
 * the page may be gone.
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
        This page could not be shown. Reloading mostly helps.
      </Alert>
    );
  }
}
