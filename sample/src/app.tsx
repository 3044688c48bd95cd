import type { Told } from '@tenantry/client';
import { lazy } from 'react';
import { BrowserRouter, Navigate, Route, Routes } from 'react-router';
import { SignedIn } from './frame/signedin';
import { SnackProvider } from './frame/snack';
import { ConfirmEmail, ConfirmSignIn } from './signin/confirm';
import { Forgot, MagicLink, Verification } from './signin/bymail';
import { Refused } from './signin/refused';
import { Login } from './signin/login';
import { Register } from './signin/register';
import { SignedOut } from './signin/signedout';

// Whoever signs in loads the sign-in pages only; the others come when they are opened.
const Invitation = lazy(() => import('./signin/invitation'));
const ResetPassword = lazy(() => import('./signin/reset'));
const NotMe = lazy(() => import('./signin/notme'));
const SecureAccount = lazy(() => import('./signin/secure'));
const Home = lazy(() => import('./frame/home'));
const Projects = lazy(() => import('./projects/projects'));
const Members = lazy(() => import('./tenant/members'));
const Roles = lazy(() => import('./tenant/roles'));
const Role = lazy(() => import('./tenant/role'));
const Settings = lazy(() => import('./tenant/settings'));
const AuditLogRepository = lazy(() => import('./tenant/audit'));
const Billing = lazy(() => import('./billing/billing'));
const Account = lazy(() => import('./account/account'));

/**
 * All pages. `told` is what the address carried when the page was opened: an error, or the one-time
 * token of a mailed link.
 */
export function App({ told }: { told: Told }) {
  return (
    <BrowserRouter basename="/app">
      <SnackProvider>
        <Routes>
          <Route element={<SignedOut anyone />}>
            <Route path="/refused" element={<Refused code={told.error} />} />
            <Route path="/invitation" element={<Invitation token={told.token} />} />
            <Route path="/verify-email" element={<ConfirmEmail token={told.token} />} />
            <Route path="/sign-in" element={<ConfirmSignIn token={told.token} />} />
            <Route path="/secure-account" element={<SecureAccount token={told.token} />} />
            <Route path="/not-me" element={<NotMe token={told.token} />} />
            <Route path="/reset-password" element={<ResetPassword token={told.token} />} />
          </Route>
          <Route element={<SignedOut />}>
            <Route path="/login" element={<Login />} />
            <Route path="/register" element={<Register />} />
            <Route path="/forgot-password" element={<Forgot />} />
            <Route path="/magic-link" element={<MagicLink />} />
            <Route path="/verification" element={<Verification />} />
          </Route>
          <Route element={<SignedIn />}>
            <Route index element={<Home />} />
            <Route path="/projects" element={<Projects />} />
            <Route path="/members" element={<Members />} />
            <Route path="/roles" element={<Roles />} />
            <Route path="/roles/:id" element={<Role />} />
            <Route path="/settings" element={<Settings />} />
            <Route path="/audit-log" element={<AuditLogRepository />} />
            <Route path="/billing" element={<Billing />} />
            <Route path="/account" element={<Account />} />
          </Route>
          <Route path="*" element={<Navigate to="/" replace />} />
        </Routes>
      </SnackProvider>
    </BrowserRouter>
  );
}
