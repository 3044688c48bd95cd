import { Injectable } from '@nestjs/common';
import { isUniqueViolation } from '../../platform/database-errors';
import { err, ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/unit-of-work';
import { User } from '../domain/user';
import { UserFailures } from '../users.failures';

const USER_BY_EMAIL = `
  SELECT id, email, name, password_hash AS "passwordHash", is_email_verified AS "isEmailVerified", picture_url AS "pictureUrl",
         disabled_at AS "disabledAt", created_at AS "createdAt"
    FROM users WHERE email = $1`;

/** The accounts, in PostgreSQL. */
@Injectable()
export class UserRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Lets the unique index decide: asking first would lose against a second registration at the same moment. */
  async add(user: User): Promise<Result> {
    try {
      await this.unitOfWork.manager.insert(User, user);
      return ok();
    } catch (error) {
      if (isUniqueViolation(error, 'users_email_key')) return err(UserFailures.emailTaken);
      throw error;
    }
  }

  /** Read without TypeORM's query builder, which would cost every login half a millisecond. */
  async findByEmail(email: string): Promise<User | null> {
    const [row] = await this.unitOfWork.query(USER_BY_EMAIL, [email]);
    return row ? Object.assign(new User(), row) : null;
  }

  findById(id: string): Promise<User | null> {
    return this.unitOfWork.manager.findOneBy(User, { id });
  }

  /** The account, locked until the transaction ends: two changes to it follow one another. */
  lock(id: string): Promise<User | null> {
    return this.unitOfWork.manager.findOne(User, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Stores what can change of an account that this transaction has locked. */
  async save({ id, name, passwordHash, isEmailVerified, pictureUrl, disabledAt }: User): Promise<void> {
    await this.unitOfWork.manager.update(User, { id }, { name, passwordHash, isEmailVerified, pictureUrl, disabledAt });
  }

  /** Replaces a hash by one of the same password. @returns false when the stored one is no longer `old` */
  async replaceHash(id: string, old: string, passwordHash: string): Promise<boolean> {
    const { affected } = await this.unitOfWork.manager.update(User, { id, passwordHash: old }, { passwordHash });
    return affected === 1;
  }
}
