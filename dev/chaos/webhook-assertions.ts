import type { Client } from 'pg';
import { Webhook } from 'standardwebhooks';
import { groupBy } from './group-by';
import { queryAllTenants } from './subscription-row';
import type { ReceivedMessage } from './webhook-receivers';
import type { ChaosEndpoint, WebhookTraffic } from './webhook-traffic';

interface StoredMessage {
  readonly id: string;
  readonly tenantId: string;
  /** Whether it is for one endpoint alone, and sent once: it may be lost. */
  readonly isChallenge: boolean;
}

const MESSAGES = `
  SELECT id, tenant_id AS "tenantId", type = 'webhook.verification' AS "isChallenge" FROM webhook_messages`;
const UNSENT = `
  SELECT count(*)::int AS n FROM webhook_deliveries WHERE state <> 'delivered' AND type <> 'webhook.verification'`;

const idOf = ({ headers }: ReceivedMessage) => headers['webhook-id'];

/** How many messages were sent, and how many requests did so more than once. */
export interface WebhookCounts {
  readonly messages: number;
  readonly repeated: number;
}

/**
 * Compares what the endpoints have received with what the service has stored and answered.
 * @returns a sentence for each difference
 */
export async function webhookProblems(
  database: Client,
  { endpoints, receivers, names }: WebhookTraffic,
): Promise<{ problems: string[]; counts: WebhookCounts }> {
  const stored = groupBy(await queryAllTenants<StoredMessage>(database, MESSAGES), ({ tenantId }) => tenantId);
  const [{ n: unsent }] = await queryAllTenants<{ n: number }>(database, UNSENT);
  const received = groupBy(receivers.messages, ({ path }) => path);
  const problems = endpoints.flatMap((endpoint) => {
    const [messages, requests] = [stored.get(endpoint.tenant.id) ?? [], received.get(endpoint.path) ?? []];
    return [...problemsOf(endpoint, messages, requests), ...nameProblems(endpoint, requests, names)].map(
      (problem) => `Endpoint ${endpoint.path}: ${problem}`,
    );
  });
  if (unsent > 0) problems.push(`${unsent} webhook deliveries were not settled`);
  if (receivers.redirected > 0) problems.push(`${receivers.redirected} webhooks followed a redirect`);
  const different = new Set(receivers.messages.map((message) => `${message.path} ${idOf(message)}`)).size;
  return { problems, counts: { messages: different, repeated: receivers.messages.length - different } };
}

function problemsOf(
  { secret }: ChaosEndpoint,
  messages: readonly StoredMessage[],
  requests: readonly ReceivedMessage[],
): string[] {
  const [ids, bodies] = [new Set(messages.map(({ id }) => id)), groupBy(requests, idOf)];
  const lost = messages.filter(({ id, isChallenge }) => !isChallenge && !bodies.has(id));
  const unknown = [...bodies.keys()].filter((id) => !ids.has(id));
  const changed = [...bodies].filter(([, same]) => new Set(same.map(({ body }) => body)).size > 1);
  const forged = requests.filter(({ headers, body }) => !isSigned(secret, headers, body));
  const found = { 'are lost': lost, 'are unknown': unknown, 'changed between attempts': changed };
  return Object.entries({ ...found, 'have a wrong signature': forged }).flatMap(([what, which]) =>
    which.length > 0 ? `${which.length} of ${ids.size} messages ${what}` : [],
  );
}

/** Each answered change of the name was sent as one message, others as one at most. */
function nameProblems(
  { tenant }: ChaosEndpoint,
  requests: readonly ReceivedMessage[],
  names: ReadonlyMap<string, boolean>,
): string[] {
  const idsOf = groupBy(requests, ({ body }) => (JSON.parse(body) as { data: { name?: string } }).data.name ?? '');
  return [...names].flatMap(([name, isAnswered]) => {
    if (!name.endsWith(tenant.id)) return [];
    const count = new Set((idsOf.get(name) ?? []).map(idOf)).size;
    return count > 1 || (isAnswered && count === 0) ? `"${name}" was sent as ${count} messages` : [];
  });
}

/** The timestamp is not compared with the clock: that is long after the receipt. */
function isSigned(secret: string, headers: Readonly<Record<string, string>>, body: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures } = headers;
  const expected = new Webhook(secret).sign(id, new Date(Number(seconds) * 1000), body);
  return signatures.split(' ').includes(expected);
}
