import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The picture, language and time zone that users choose. */
export class Profiles1765470000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users
        ADD is_picture_chosen boolean NOT NULL DEFAULT false,
        ADD language text,
        ADD time_zone text`);
    await runner.query(`
      CREATE TABLE user_pictures (
        user_id uuid NOT NULL
          CONSTRAINT user_pictures_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        key text NOT NULL,
        image bytea NOT NULL,
        CONSTRAINT user_pictures_pkey PRIMARY KEY (user_id),
        CONSTRAINT user_pictures_key_key UNIQUE (key)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE user_pictures');
    await runner.query('ALTER TABLE users DROP is_picture_chosen, DROP language, DROP time_zone');
  }
}
