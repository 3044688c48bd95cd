import { DomainEvent } from '../../src/platform/domain-events';
import type { AnyClass } from '../../src/platform/any-class';
import { publicEvents, publicMessagesOf, type PublicEvent } from '../../src/platform/public-events';
import { sourceClasses } from '../../src/platform/source-classes';

/**
 * The domain events that no receiver of a tenant gets: of accounts, sessions, operators and jobs,
 * requests whose effect is an event of its own, and what only the service itself needs.
 */
const PRIVATE = `
  AccessDenied AccountDataExported AccountDeleted AccountDeletionCanceled AccountDeletionRequested AccountSecured
  AdminExported AdminViewed ApiKeyAddressRefused ApiKeyCreated ApiKeyFirstUsed ApiKeyLeaked ApiKeyRevoked ApiKeyRotated
  ApiKeyUsedFromNewNetwork AuditLogExported AuditPartitionDropped AuditStreamChanged AuditStreamCreated
  AuditStreamDeleted AuditStreamDisabled AuditStreamSecretRotated BilledSeatsDiffer BillingNoticeIssued
  CancellationRequested EmailChangeUndone EmailChanged
  EntitlementOverrideEnded EntitlementsOverridden FactorResetApproved FactorResetCanceled FactorResetExpired
  FactorResetRequested FactorResetStopped InvitationAccepted InvitationResent JobDeleted JobRetried KeysStopped
  OrphanDisabled ResourceOrphaned ResourceTakenOver TaskRetried
  OwnershipTransferred PasskeyAdded PasskeyCounterWentBack PasskeyRemoved PasswordChanged PasswordReset PaymentRefunded
  PersonalTokenCreated PersonalTokenDeleted PlanChangeRequested PlannedChangeReplaced ProviderLinked
  ProviderUnlinked RecoveryCodeUsed RecoveryCodesCreated RegistrationCanceled ResumptionRequested SecondFactorAdded
  SecondFactorAnnounced SecondFactorAsked SecondFactorBlocked SecondFactorFailed SecondFactorRemoved
  SecondFactorReset ServiceAccountChanged ServiceAccountCreated ServiceAccountDeleted SessionRevoked SignInFailed
  SignInNotCompleted SignInPolicyChanged SignInPolicyRemoved SubscriptionSynced SyncRequested SyncStarted
  TenantCreated TenantDeleted TokenReused TrialExtensionRequested UnverifiedAccountDeleted
  UnverifiedAccountTakenOver UserDisabled UserEnabled UserImpersonated UserLinkSent UserPictureChanged UserRenamed
  UserSessionsEnded WebhookEndpointChanged WebhookEndpointCreated WebhookEndpointDeleted WebhookEndpointDisabled
  WebhookEventReplayed WebhookReplayRequested WebhookSecretRotated`
  .trim()
  .split(/\s+/);

const TYPE = /^[a-z]+([_-][a-z]+)*\.[a-z]+(_[a-z]+)*$/;

/** The events of these classes that are published: those with an action. */
const published = (classes: readonly AnyClass[]) =>
  classes.filter((value) => value.prototype instanceof DomainEvent && 'action' in value);

/** One line for each event that is not either mapped or listed, and for each wrong entry. */
function mistakes(
  classes: readonly AnyClass[],
  catalogue: readonly PublicEvent[],
  listed: readonly string[],
): string[] {
  const isMapped = (event: AnyClass) => catalogue.some(({ from }) => from === event);
  const events = published(classes);
  const names = events.map(({ name }) => name);
  return [
    ...events
      .filter((event) => !isMapped(event) && !listed.includes(event.name))
      .map(({ name }) => `${name} is neither a public event nor listed as private`),
    ...events
      .filter((event) => isMapped(event) && listed.includes(event.name))
      .map(({ name }) => `${name} is public and listed as private`),
    ...listed.filter((name) => !names.includes(name)).map((name) => `${name} is listed and does not exist`),
  ];
}

class ThingMade extends DomainEvent {
  static readonly action = 'thing.made';
}
class ThingView {
  readonly id!: string;
}
const made = (tenantId: string | null) =>
  new ThingMade({ userId: null, impersonatorId: null }, tenantId, { type: 'thing', id: '1' });
const THING: PublicEvent = {
  type: 'thing.made',
  summary: 'A thing was made',
  from: ThingMade,
  schema: ThingView,
  permission: 'tenant.projects.read',
  data: ({ target }) => ({ id: target.id }),
};

describe('the catalogue of public events', () => {
  const classes = sourceClasses();
  const catalogue = publicEvents();

  it('has each domain event, or the list of private ones has it', () => {
    expect(published(classes).length).toBeGreaterThan(60);
    expect(mistakes(classes, catalogue, PRIVATE)).toEqual([]);
  });

  it('would be refused with an event that is in neither or in both, and with one that does not exist', () => {
    const neither = ['ThingMade is neither a public event nor listed as private'];
    expect(mistakes([...classes, ThingMade], catalogue, PRIVATE)).toEqual(neither);
    expect(mistakes([...classes, ThingMade], [...catalogue, THING], PRIVATE)).toEqual([]);
    expect(mistakes([...classes, ThingMade], [...catalogue, THING], [...PRIVATE, 'ThingMade', 'ThingLost'])).toEqual([
      'ThingMade is public and listed as private',
      'ThingLost is listed and does not exist',
    ]);
  });

  it('has types of the form noun.verbed, which receivers can rely on', () => {
    expect(catalogue.map(({ type }) => type).filter((type) => !TYPE.test(type))).toEqual([]);
    // for ever: a type that is taken away breaks receivers
    const promised = [
      'invitation.created',
      'invitation.revoked',
      'member.joined',
      'member.removed',
      'member.role_changed',
      'project.created',
      'project.deleted',
      'project.updated',
      'role.created',
      'role.deleted',
      'role.updated',
      'subscription.canceled',
      'subscription.past_due',
      'subscription.recovered',
      'subscription.updated',
      'tenant.renamed',
    ];
    const types = catalogue.map(({ type }) => type);
    expect(promised.filter((type) => !types.includes(type))).toEqual([]);
  });

  it('makes a message of an event of a tenant, and none of others', () => {
    const now = new Date('2026-01-31T09:30:00.000Z');
    expect(publicMessagesOf(made('t1'), [THING], now)).toEqual([
      { type: 'thing.made', timestamp: '2026-01-31T09:30:00.000Z', tenantId: 't1', data: { id: '1' } },
    ]);
    expect(publicMessagesOf(made(null), [THING], now)).toEqual([]);
    expect(publicMessagesOf(made('t1'), [{ ...THING, when: () => false }], now)).toEqual([]);
    expect(publicMessagesOf(made('t1'), catalogue, now)).toEqual([]);
  });
});
