import { Controller, Get, Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Command, CommandHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../src/http/access/access.decorators';
import { TrialEndingData } from '../../src/billing/notifications/trial-ending.notification';
import { shadowedRoutes } from '../../src/http/access/route-order-check';
import { NotificationRepository } from '../../src/notifications/data/notification.repository';
import { NotificationSchema } from '../../src/notifications/domain/notification-data';
import { Notifier } from '../../src/notifications/services/notifier';
import { notificationSchemas } from '../../src/notifications/services/notification-schemas';
import { AggregatedEvent, DomainEvent } from '../../src/platform/domain-events';
import { Job } from '../../src/platform/jobs/jobs';
import { Schedule } from '../../src/platform/jobs/schedule.decorator';
import { ok, type Result } from '../../src/platform/result';
import { refuseWiringMistakes } from '../../src/platform/wiring-check';
import { sourceClasses } from '../../src/platform/source-classes';
import { TestApp } from '../support/app';

class Unheard extends Command<void> {}

class HeardTwice extends Query<void> {}
@QueryHandler(HeardTwice)
class FirstHandler {
  execute() {
    return Promise.resolve();
  }
}
@QueryHandler(HeardTwice)
class SecondHandler extends FirstHandler {}

class LeftOut extends Command<void> {}
@CommandHandler(LeftOut)
class LeftOutHandler {
  execute() {
    return Promise.resolve();
  }
}
@Injectable()
class ForgottenListener {}

class UnmarkedListener implements OnModuleInit {
  onModuleInit(): void {}
}

@Job('send-invitation-mail', 'mail')
class Namesake extends Command<void> {}
@CommandHandler(Namesake)
class NamesakeHandler {
  execute() {
    return Promise.resolve();
  }
}

// `npm run types` fails if an expected error does not occur, that is, if such fields compile.
// @ts-expect-error a Date is not JSON
@Job('remind')
class Remind extends Command<void> {
  constructor(readonly at: Date) {
    super();
  }
}
@CommandHandler(Remind)
class RemindHandler {
  execute() {
    return Promise.resolve();
  }
}
// @ts-expect-error neither is a Date further down
@Job('remind-deeply')
class RemindDeeply extends Command<void> {
  readonly facts: { readonly dates: readonly Date[] } = { dates: [] };
}

@Schedule('often', { name: 'purge-expired' })
class Mistimed extends Command<Result> {}
@CommandHandler(Mistimed)
class MistimedHandler {
  execute() {
    return Promise.resolve(ok());
  }
}
@Schedule('1 2 * * *')
class Unnamed extends Command<Result> {}
@CommandHandler(Unnamed)
class UnnamedHandler extends MistimedHandler {}
// @ts-expect-error the schedule does not say what the field is
@Schedule('1 2 * * *')
class Incomplete extends Command<Result> {
  constructor(readonly what: string) {
    super();
  }
}

@Injectable()
class UndescribedListener implements OnModuleInit {
  constructor(private readonly modules: ModuleRef) {}

  onModuleInit(): void {
    const notifier = this.modules.get(Notifier, { strict: false });
    notifier.on(DomainEvent, ['TrialEnding', 'TrialEnded' as 'TrialEnding'], () => []);
  }
}
@NotificationSchema('TrialEnding')
class OtherTrialEndingData extends TrialEndingData {}
class UnmarkedData {}
class NamelessEvent extends AggregatedEvent {}

@ApiExcludeController()
@Public()
@Controller('things')
class ThingsController {
  @Get(':id') one() {
    return null;
  }
  @Get('count') count() {
    return null;
  }
}

describe('The service does not start with', () => {
  let t: TestApp;
  beforeAll(async () => (t = await TestApp.start({ env: { WORKER: 'off' } })));
  afterAll(() => t.close());

  const start = (extra: Parameters<typeof TestApp.start>[0]) =>
    TestApp.start({ beside: t, env: { WORKER: 'off' }, ...extra });

  it('two jobs of one name', async () => {
    await expect(start({ providers: [NamesakeHandler] })).rejects.toThrow(
      new RegExp(
        '^The service does not start:\\n' +
          "Several jobs are called 'send-invitation-mail': SendInvitationMail, Namesake\\. Rename all but one\\.$",
      ),
    );
  });

  it('a job whose fields are not JSON, which does not compile either', async () => {
    await expect(start({ providers: [RemindHandler] })).rejects.toThrow(
      "Remind, the job 'remind', has fields that are not JSON: Date. Use text or numbers.",
    );
    expect(new RemindDeeply().facts.dates).toEqual([]);
  });

  it('a message with two handlers', async () => {
    await expect(start({ providers: [FirstHandler, SecondHandler] })).rejects.toThrow(
      'HeardTwice has several handlers: FirstHandler, SecondHandler. Keep one.',
    );
  });

  it('a message without a handler', () => {
    expect(() => refuseWiringMistakes(t.nest, sourceClasses())).not.toThrow();
    expect(() => refuseWiringMistakes(t.nest, [...sourceClasses(), Unheard])).toThrow(
      'Unheard has no handler. Write one in a folder of its module, and export it.',
    );
  });

  it('a handler, listener or controller that no module provides', () => {
    const declared = [...sourceClasses(), LeftOut, LeftOutHandler, ForgottenListener, ThingsController];
    expect(() => refuseWiringMistakes(t.nest, declared)).toThrow(
      [LeftOutHandler, ForgottenListener, ThingsController]
        .map(({ name }) => `${name} is provided by no module. Move it into a folder of its module.`)
        .join('\n'),
    );
  });

  it('a listener that is not marked, which no module finds', () => {
    expect(() => refuseWiringMistakes(t.nest, [...sourceClasses(), UnmarkedListener])).toThrow(
      'UnmarkedListener would never be started. Mark it @Injectable().',
    );
  });

  it('a class that several modules provide, of which there would be several instances', async () => {
    await expect(start({ providers: [NotificationRepository] })).rejects.toThrow(
      'NotificationRepository is provided by several modules: RootTestModule, NotificationsModule. ' +
        'Import the module that exports it.',
    );
  });

  it('a schedule without a name, of the name of another one, or at no time', async () => {
    await expect(start({ providers: [MistimedHandler, UnnamedHandler] })).rejects.toThrow(
      [
        "Several schedules are called 'purge-expired'. Rename the one of Mistimed.",
        "The schedule of Mistimed is no cron expression: 'often'.",
        "The schedule of Unnamed has no name. Give it one: @Schedule(…, { name: '…' }).",
      ].join('\n'),
    );
    expect(new Incomplete('x').what).toBe('x');
  });

  it('a notification whose data have no schema', async () => {
    await expect(start({ providers: [UndescribedListener] })).rejects.toThrow(
      "The notification 'TrialEnded' has no schema. Describe its data with @NotificationSchema.",
    );
  });

  it('two schemas of one notification, or a schema of none', () => {
    const schemas = sourceClasses('notifications');
    expect(notificationSchemas(schemas).get('TrialEnding')).toBe(TrialEndingData);
    expect(() => notificationSchemas([...schemas, OtherTrialEndingData])).toThrow(
      "Several classes describe the notification 'TrialEnding': TrialEndingData, OtherTrialEndingData. Keep one.",
    );
    expect(() => notificationSchemas([...schemas, UnmarkedData])).toThrow(
      'UnmarkedData describes no notification. Add @NotificationSchema.',
    );
  });

  it('an event without an action, which the audit log could not name', () => {
    expect(() => refuseWiringMistakes(t.nest, [...sourceClasses(), NamelessEvent])).toThrow(
      "NamelessEvent has no action. Declare one: static readonly action = 'noun.verbed'.",
    );
  });

  it('a route that an earlier one shadows', async () => {
    await expect(start({ controllers: [ThingsController] })).rejects.toThrow(
      'GET /things/count (ThingsController.count) is never reached, because GET /things/:id (ThingsController.one) ' +
        'comes first. Declare it before that one.',
    );
  });
});

describe('A route', () => {
  const route = (key: string) => {
    const [method, path] = key.split(' ');
    return { name: key, method, paths: [path], access: undefined };
  };

  it.each([
    ['GET /things/:id', 'GET /things/count', true],
    ['GET /things/:id', 'GET /things/:name', true],
    ['GET /things/count', 'GET /things/count', true],
    ['GET /:kind/count', 'GET /things/count', true],
    ['ALL /things/count', 'GET /things/count', true],
    ['GET /things/*rest', 'GET /things/a/b', true],
    ['GET /things/count', 'GET /things/:id', false],
    ['GET /things/:id', 'POST /things/count', false],
    ['GET /things/:id', 'GET /things/:id/parts', false],
    ['GET /things/:id/parts', 'GET /things/count', false],
    ['GET /things/*rest', 'GET /things', false],
    ['GET /things/:id', 'GET /others/count', false],
  ])('%s shadows a later %s: %s', (earlier, later, isShadowed) => {
    expect(shadowedRoutes([route(earlier), route(later)])).toHaveLength(isShadowed ? 1 : 0);
  });
});

describe('The classes of the source', () => {
  it('are found in its folders, all of them or those of one room', () => {
    const names = (room?: string) => sourceClasses(room).map(({ name }) => name);
    expect(names()).toEqual(expect.arrayContaining(['SendInvitationMail', 'CreateProjectHandler', 'Project']));
    expect(names('domain')).toEqual(expect.arrayContaining(['Project', 'Subscription']));
    expect(names('domain')).not.toContain('SendInvitationMail');
  });
});
