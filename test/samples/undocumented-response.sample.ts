import { Controller, Get, Header } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Public } from '../../src/http/access/access.decorators';
import { Responds } from '../../src/http/openapi/openapi-responses.decorator';
import { ok } from '../../src/platform/result';
import { TestApp } from '../support/app';

class NoteView {
  @ApiProperty() text!: string;
}

@Public()
@Controller('notes')
class NotesController {
  @Get('right')
  @Responds({ summary: 'Get a note', data: NoteView })
  right() {
    return ok<NoteView>({ text: 'a note' });
  }

  @Get('headed')
  @Header('Retry-After', '1')
  @Responds({ summary: 'Get a note with an undocumented header', data: NoteView })
  headed() {
    return ok<NoteView>({ text: 'a note' });
  }

  @Get('wrong')
  @Responds({ summary: 'Get a note with an undocumented type', data: NoteView })
  wrong() {
    return ok<NoteView>({ text: 1 as unknown as string });
  }
}

// Run by test/e2e/http/response-check.e2e-spec.ts, which expects that only the tests of
// something undocumented fail.
describe('a test', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await TestApp.start({ controllers: [NotesController], env: { WORKER: 'off' } });
  });
  afterAll(() => t.close());

  it('that gets a documented response', () => t.api.get('/notes/right').expect(200));
  it('that gets an undocumented response', () => t.api.get('/notes/wrong').expect(200));
  it('that gets an undocumented header', () => t.api.get('/notes/headed').expect(200));
  it('that gets a documented response afterwards', () => t.api.get('/notes/right').expect(200));
});
