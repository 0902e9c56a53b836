import type { TenantDb } from '#kernel/db/scope.ts'
import type { Ctx } from '#kernel/http/context.ts'
import { type AccountRow, findAccountById, storePassword } from '../data/account.repo.ts'
import type { AuthDeps } from '../deps.ts'
import type { AccountDoor } from '../domain/doors.ts'
import { type Proof, prove, type Verdict } from './prove.ts'

export type PasswordVerdict = { readonly verdict: 'right'; readonly account: AccountRow } | Exclude<Verdict, { readonly verdict: 'right' }>

/** Takes as long where there is nothing to compare with. */
const compare = async ({ services: { passwords } }: AuthDeps, password: string, hash: string | null): Promise<boolean> => {
  if (hash !== null) return passwords.verify(password, hash)
  await passwords.dummyVerify(password)
  return false
}

/** Checks the password of an account under its one counter. */
export const checkPassword = async (
  deps: AuthDeps,
  ctx: Ctx,
  given: {
    readonly door: AccountDoor
    readonly who: { readonly key: string; readonly find: (db: TenantDb) => Promise<AccountRow | undefined>; readonly typed?: string }
    /** Asked for when there is something to compare with. */
    readonly password: () => string
    readonly admits?: Proof['admits']
    /** What follows from the right password, in the transaction that ends the count. */
    readonly onRight?: (db: TenantDb, account: AccountRow) => Promise<void>
  },
  now: Date,
): Promise<PasswordVerdict> => {
  const { passwords } = deps.services
  const { password, door, who } = given
  let rehash: string | undefined
  const checked = await prove(
    deps,
    ctx,
    {
      door,
      who,
      ...(given.admits === undefined ? {} : { admits: given.admits }),
      look: async account => {
        const hash = account?.passwordHash ?? null
        const isRight = await compare(deps, password(), hash)
        if (isRight && hash !== null && passwords.needsRehash(hash)) rehash = await passwords.hash(password())
        return isRight
      },
      pretend: () => passwords.dummyVerify(password()),
      // Where a code has to follow, only the code ends the count: else each right password would buy new guesses at it.
      endsCount: account => !account.hasSecondFactor,
      onRight: async (db, account) => {
        await Promise.all([
          rehash === undefined ? undefined : storePassword(db, account.id, rehash),
          given.onRight === undefined ? undefined : given.onRight(db, account),
        ])
      },
    },
    now,
  )
  if (checked.verdict !== 'right') return checked
  return checked.account ? { verdict: 'right', account: checked.account } : { verdict: 'wrong', isLast: false }
}

/** Somebody's own password, asked once more in an open session. */
export const checkOwnPassword = (deps: AuthDeps, ctx: Ctx, userId: string, password: string, now: Date): Promise<PasswordVerdict> =>
  checkPassword(
    deps,
    ctx,
    {
      door: 'own_password',
      who: { key: userId, find: db => findAccountById(db, userId) },
      password: () => password,
    },
    now,
  )

/**
 * The word of a lock screen, under the counter of its account. It was chosen by whoever sat before the screen, so the right one gives no new tries.
 *
 * @param lockHash - null for a session that nobody locked but time: it opens with the account's own password
 */
export const checkLockWord = async (
  deps: AuthDeps,
  ctx: Ctx,
  of: { readonly userId: string; readonly lockHash: string | null; readonly password: string },
  now: Date,
): Promise<Verdict> =>
  prove(
    deps,
    ctx,
    {
      door: 'unlock',
      who: { key: of.userId, find: db => findAccountById(db, of.userId) },
      look: account => compare(deps, of.password, of.lockHash ?? account?.passwordHash ?? null),
      pretend: () => deps.services.passwords.dummyVerify(of.password),
      endsCount: () => false,
    },
    now,
  )
