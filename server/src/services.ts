import type { Clock } from '#kernel/clock.ts'
import type { FieldCipher } from '#kernel/crypto/field.ts'
import type { PasswordHasher } from '#kernel/crypto/password.ts'
import type { Pools } from '#kernel/db/pool.ts'
import type { Scopes } from '#kernel/db/scope.ts'
import type { FileStores } from '#kernel/files/places.ts'
import type { KeptAnswers } from '#kernel/http/kept-answers.ts'
import type { Log } from '#kernel/log.ts'
import type { KeyRings, Secrets } from '#kernel/secrets.ts'
import type { Config } from '#server/config.ts'

/** What every module is made with. Modules never open a pool, read the environment or ask for the time anywhere else. */
export interface Services {
  readonly config: Config
  /** Those that were read last: a key that was replaced while the program runs is seen by whoever asks again. */
  readonly secrets: Secrets
  /** The same keys with those that they took the place of. */
  readonly keys: KeyRings
  readonly scopes: Scopes
  readonly pools: Pools
  readonly clock: Clock
  readonly log: Log
  readonly cipher: FieldCipher
  readonly passwords: PasswordHasher
  readonly files: FileStores
  /** Answers that everybody with the same rights gets, until what they are made of changes. */
  readonly kept: KeptAnswers
  /** Number of a database lock that this process holds as long as it lives; work in its name is dead when the lock is free. */
  readonly runner: string
}
