import { DomainEvent, DomainEvents, NO_ACTOR } from './domain-events';

class Painted extends DomainEvent {
  static readonly action: string = 'fence.painted';

  constructor(readonly color: string) {
    super(NO_ACTOR, null, { type: 'fence', id: color });
  }
}

class Repainted extends Painted {
  static override readonly action = 'fence.repainted';
}

class Sold extends DomainEvent {
  static readonly action = 'fence.sold';

  constructor() {
    super(NO_ACTOR, null, { type: 'fence', id: '1' });
  }
}

describe('DomainEvents', () => {
  let events: DomainEvents;
  let calls: string[];
  const listenTo = (name: string, type: typeof DomainEvent | typeof Painted | typeof Sold | typeof Repainted) =>
    events.on<DomainEvent>(type, (heard) => {
      calls.push(`${name}: ${heard.map(({ action }) => action).join(' ')}`);
      return Promise.resolve();
    });

  beforeEach(() => {
    events = new DomainEvents();
    calls = [];
  });

  it('calls the listeners of an event and of the classes that it extends, in their order', async () => {
    listenTo('all', DomainEvent);
    listenTo('repainted', Repainted);
    listenTo('sold', Sold);
    listenTo('painted', Painted);
    await events.publish(new Repainted('red'));
    await events.publish(new Painted('red'));
    expect(calls).toEqual([
      'all: fence.repainted',
      'repainted: fence.repainted',
      'painted: fence.repainted',
      'all: fence.painted',
      'painted: fence.painted',
    ]);
  });

  it('calls each listener once with all of its events', async () => {
    listenTo('sold', Sold);
    listenTo('painted', Painted);
    listenTo('all', DomainEvent);
    await events.publish(new Painted('red'), new Sold(), new Repainted('blue'));
    expect(calls).toEqual([
      'sold: fence.sold',
      'painted: fence.painted fence.repainted',
      'all: fence.painted fence.sold fence.repainted',
    ]);
  });

  it('calls a listener that was added after the class was published', async () => {
    await events.publish(new Sold());
    listenTo('sold', Sold);
    await events.publish(new Sold());
    expect(calls).toEqual(['sold: fence.sold']);
  });

  it('awaits a listener before the next one, and stops at a failure', async () => {
    events.on(Sold, async () => {
      await Promise.resolve();
      calls.push('first');
    });
    events.on(Sold, () => Promise.reject(new Error('refused')));
    listenTo('never', Sold);
    await expect(events.publish(new Sold())).rejects.toThrow('refused');
    expect(calls).toEqual(['first']);
  });

  it('does nothing without listeners, or without events', async () => {
    listenTo('sold', Sold);
    await events.publish(new Painted('red'));
    await events.publish();
    expect(calls).toEqual([]);
  });
});
