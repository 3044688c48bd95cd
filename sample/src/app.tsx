import type { FragmentParams } from '@tenantry/client';
import { lazy } from 'react';
import { BrowserRouter, Route, Routes } from 'react-router';
import { NoWorkspace } from './layout/new-workspace';
import { NotFound } from './layout/not-found';
import { PermissionRoute } from './layout/permission-route';
import { WorkspaceRedirect } from './layout/workspace-redirect';
import { RouteFocus } from './layout/route-focus';
import { SignedIn } from './layout/signed-in';
import { ToastProvider } from './layout/toasts';
import { UnknownAddress } from './layout/unknown-address';
import { ConfirmEmailPage, ConfirmSignInPage } from './sign-in/link-confirmation-page';
import { ForgotPasswordPage } from './sign-in/forgot-password-page';
import { MagicLinkPage } from './sign-in/magic-link-page';
import { ResendVerificationPage } from './sign-in/resend-verification-page';
import { InvitationTokenCleanup } from './sign-in/invitation-token';
import { SecondFactorPage } from './sign-in/second-factor-page';
import { SignInErrorPage } from './sign-in/sign-in-error-page';
import { SignInPage } from './sign-in/sign-in-page';
import { RegisterPage } from './sign-in/register-page';
import { SignedOut } from './sign-in/signed-out';

// Visitors load the sign-in pages only; the code of the others is loaded when they are opened.
const InvitationPage = lazy(() => import('./sign-in/invitation-page'));
const ResetPasswordPage = lazy(() => import('./sign-in/reset-password-page'));
const NotMePage = lazy(() => import('./sign-in/not-me-page'));
const SecureAccountPage = lazy(() => import('./sign-in/secure-account-page'));
const UndoEmailChangePage = lazy(() => import('./sign-in/undo-email-change-page'));
const StopFactorResetPage = lazy(() => import('./sign-in/stop-factor-reset-page'));
const HomeRedirect = lazy(() => import('./layout/home-redirect'));
const ProjectsPage = lazy(() => import('./projects/projects-page'));
const MembersPage = lazy(() => import('./tenant/members-page'));
const RolesPage = lazy(() => import('./tenant/roles-page'));
const RolePage = lazy(() => import('./tenant/role-page'));
const SettingsPage = lazy(() => import('./tenant/settings-page'));
const AuditLogPage = lazy(() => import('./tenant/audit-log-page'));
const ApiKeysPage = lazy(() => import('./keys/api-keys-page'));
const ServiceAccountPage = lazy(() => import('./keys/service-account-page'));
const NewKeyPage = lazy(() => import('./keys/new-key-page'));
const PersonalTokensPage = lazy(() => import('./keys/personal-tokens-page'));
const NewTokenPage = lazy(() => import('./keys/new-token-page'));
const WebhooksPage = lazy(() => import('./webhooks/webhooks-page'));
const NewWebhookPage = lazy(() => import('./webhooks/new-webhook-page'));
const WebhookPage = lazy(() => import('./webhooks/webhook-page'));
const EditWebhookPage = lazy(() => import('./webhooks/edit-webhook-page'));
const DeliveryPage = lazy(() => import('./webhooks/delivery-page'));
const AuditStreamsPage = lazy(() => import('./audit-streams/audit-streams-page'));
const NewAuditStreamPage = lazy(() => import('./audit-streams/new-audit-stream-page'));
const AuditStreamPage = lazy(() => import('./audit-streams/audit-stream-page'));
const EditAuditStreamPage = lazy(() => import('./audit-streams/edit-audit-stream-page'));
const BillingPage = lazy(() => import('./billing/billing-page'));
const PricingPage = lazy(() => import('./billing/pricing-page'));
const AccountPage = lazy(() => import('./account/account-page'));
const DeletionPlannedPage = lazy(() => import('./account/deletion-planned-page'));
const SecurityPage = lazy(() => import('./account/security-page'));

/** Pages of a workspace that can be addressed without it, by links in emails and by old ones. */
const OLD_ADDRESSES = [
  '/projects',
  '/members',
  '/roles/:id?',
  '/settings',
  '/audit-log',
  '/audit-streams',
  '/billing',
  '/webhooks',
  '/api-keys',
];

/**
 * All pages.
 * @param fragment the parameters in the fragment of the address: an error code, or the one-time
 * token of an emailed link
 */
export function App({ fragment }: { fragment: FragmentParams }) {
  return (
    <BrowserRouter basename="/app">
      <ToastProvider>
        <RouteFocus />
        <InvitationTokenCleanup />
        <Routes>
          <Route element={<SignedOut anyone />}>
            <Route path="/pricing" element={<PricingPage />} />
            <Route path="/refused" element={<SignInErrorPage code={fragment.error} />} />
            <Route path="/second-factor" element={<SecondFactorPage />} />
            <Route path="/invitation" element={<InvitationPage token={fragment.token} />} />
            <Route path="/verify-email" element={<ConfirmEmailPage token={fragment.token} />} />
            <Route path="/sign-in" element={<ConfirmSignInPage token={fragment.token} />} />
            <Route path="/secure-account" element={<SecureAccountPage token={fragment.token} />} />
            <Route path="/undo-email-change" element={<UndoEmailChangePage token={fragment.token} />} />
            <Route path="/stop-factor-reset" element={<StopFactorResetPage token={fragment.token} />} />
            <Route path="/deletion-planned" element={<DeletionPlannedPage />} />
            <Route path="/not-me" element={<NotMePage token={fragment.token} />} />
            <Route path="/reset-password" element={<ResetPasswordPage token={fragment.token} />} />
          </Route>
          <Route element={<SignedOut />}>
            <Route path="/login" element={<SignInPage />} />
            <Route path="/register" element={<RegisterPage />} />
            <Route path="/forgot-password" element={<ForgotPasswordPage />} />
            <Route path="/magic-link" element={<MagicLinkPage />} />
            <Route path="/verification" element={<ResendVerificationPage />} />
          </Route>
          <Route element={<SignedIn />}>
            <Route index element={<HomeRedirect />} />
            <Route path="/w/:tenantId">
              <Route index element={<HomeRedirect />} />
              <Route path="projects" element={<ProjectsPage />} />
              <Route path="members" element={<MembersPage />} />
              <Route path="roles" element={<RolesPage />} />
              <Route path="roles/:id" element={<RolePage />} />
              <Route path="api-keys" element={<PermissionRoute title="API keys" needs="tenant.keys.manage" />}>
                <Route index element={<ApiKeysPage />} />
                <Route path=":id" element={<ServiceAccountPage />} />
                <Route path=":id/new-key" element={<NewKeyPage />} />
              </Route>
              <Route path="webhooks" element={<PermissionRoute title="Webhooks" needs="tenant.webhooks.manage" />}>
                <Route index element={<WebhooksPage />} />
                <Route path="new" element={<NewWebhookPage />} />
                <Route path=":id" element={<WebhookPage />} />
                <Route path=":id/edit" element={<EditWebhookPage />} />
                <Route path=":id/deliveries/:deliveryId" element={<DeliveryPage />} />
              </Route>
              <Route
                path="audit-streams"
                element={<PermissionRoute title="Audit streams" needs="tenant.audit.stream" />}
              >
                <Route index element={<AuditStreamsPage />} />
                <Route path="new" element={<NewAuditStreamPage />} />
                <Route path=":id" element={<AuditStreamPage />} />
                <Route path=":id/edit" element={<EditAuditStreamPage />} />
              </Route>
              <Route path="settings" element={<SettingsPage />} />
              <Route path="audit-log" element={<AuditLogPage />} />
              <Route path="billing" element={<BillingPage />} />
              <Route path="account" element={<AccountPage />} />
              <Route path="account/security" element={<SecurityPage />} />
              <Route path="account/tokens" element={<PersonalTokensPage />} />
              <Route path="account/tokens/new" element={<NewTokenPage />} />
              <Route path="*" element={<NotFound />} />
            </Route>
            {OLD_ADDRESSES.map((path) => (
              <Route key={path} path={path} element={<WorkspaceRedirect children={<NoWorkspace />} />} />
            ))}
            <Route path="/account" element={<WorkspaceRedirect children={<AccountPage />} />} />
            <Route path="/account/security" element={<WorkspaceRedirect children={<SecurityPage />} />} />
            <Route path="/account/tokens" element={<WorkspaceRedirect children={<PersonalTokensPage />} />} />
          </Route>
          <Route element={<UnknownAddress />}>
            <Route path="*" element={<NotFound />} />
          </Route>
        </Routes>
      </ToastProvider>
    </BrowserRouter>
  );
}
