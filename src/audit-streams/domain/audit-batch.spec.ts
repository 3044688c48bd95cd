import type { PlacedAuditEntry } from '../../audit/audit.api';
import { batchOf, FIRST_PLACE, testBody } from './audit-batch';
import { AuditStream } from './audit-stream';

const NOW = new Date('2026-01-31T09:30:00.000Z');
const START = { after: FIRST_PLACE, sinceId: FIRST_PLACE.id };
const stream = () => AuditStream.create('t1', 'u1', { url: 'https://example.com/', description: '' }, START, NOW);
const entry = (id: string, text = ''): PlacedAuditEntry => ({
  ...{ id, position: '7', at: NOW, action: 'x', actorId: null, impersonatorId: null, principalKind: null },
  ...{ principalId: null, tenantId: 't1', targetType: 'x', targetId: 'x', ip: null, requestId: 'r', data: { text } },
});
const idsOf = (body: string) => (JSON.parse(body) as { entries: { id: string }[] }).entries.map(({ id }) => id);
const LONG = 'ä'.repeat(50 * 1024);

describe('a batch of audit entries', () => {
  it('has the entries in their order, without their positions, between two cursors', () => {
    const its = stream();
    const first = batchOf(its, [entry('a'), entry('b')]);
    expect(JSON.parse(first.body)).toEqual({
      ...{ type: 'audit-log.entries', tenantId: 't1', streamId: its.id, previousCursor: null, cursor: '7.b' },
      entries: ['a', 'b'].map((id) => JSON.parse(JSON.stringify({ ...entry(id), position: undefined })) as object),
    });
    expect([first.id, first.count, first.end]).toEqual([`${its.id}_b`, 2, { position: '7', id: 'b' }]);
    its.advance(first.end, its.url, NOW);
    expect(JSON.parse(batchOf(its, [entry('c')]).body)).toMatchObject({ previousCursor: '7.b', cursor: '7.c' });
    expect(JSON.parse(testBody(its))).toMatchObject({ type: 'audit-log.test', cursor: '7.b', entries: [] });
  });

  it.each([
    ['as many as fit into 256 kB', [LONG, LONG, LONG], ['0', '1']],
    ['one that is longer, alone', [LONG.repeat(4), 'b'], ['0']],
    ['all if they are short', ['a', 'b', 'c'], ['0', '1', '2']],
  ])('has %s', (_, texts, expected) => {
    const { body, end } = batchOf(
      stream(),
      texts.map((text, index) => entry(String(index), text)),
    );
    expect(idsOf(body)).toEqual(expected);
    expect(end.id).toBe(expected.at(-1));
  });
});

describe('an audit stream', () => {
  it('waits half an hour at most after a failure, and is disabled after five days of nothing else', () => {
    const its = stream();
    let [now, count] = [NOW, 0];
    const pauses: number[] = [];
    while (!its.refuse('down', false, undefined, now, 0.5)) {
      pauses.push((its.nextAt.getTime() - now.getTime()) / 1000);
      now = its.nextAt;
      count++;
    }
    expect([pauses.slice(0, 4), Math.max(...pauses), its.disabledWhy]).toEqual([[5, 300, 1800, 1800], 1800, 'failing']);
    expect(count).toBeGreaterThan(200);
  });

  it('is due within a minute after a change, and not before a batch that is being sent has ended', () => {
    const its = stream();
    its.refuse('down', false, 3600, NOW, 0.5);
    its.change({ enabled: true }, NOW);
    expect(its.nextAt.getTime() - NOW.getTime()).toBe(60_000);
  });
});
