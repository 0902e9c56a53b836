import { refuse } from '#contract/kernel/errors.ts'
import type { InputOf, OutputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { nameKey } from '#contract/person/person-name.ts'
import type { ownInvitations, takeInvitation } from '#contract/signup/group.routes.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { audit } from '#kernel/audit.ts'
import { lock } from '#kernel/db/lock.ts'
import { sealPersonNumber } from '#kernel/db/person-columns.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { replaceAnswers } from '../content-vault.ts'
import {
  type Claimant,
  closeStandIn,
  dropOwnDraft,
  findClaimant,
  findOwnState,
  type InvitationRow,
  listInvitations,
  moveSignup,
} from '../data/invitation.repo.ts'
import type { SignupContext } from '../deps.ts'
import { invitationNotice } from '../domain/invitation-notice.ts'

const because = 'what a school has filled in belongs to nobody until the person takes it over'

/** What waits for somebody: filled in under their id number and their name. */
const waitingFor = async (db: TenantDb, claimant: Claimant | undefined, isLocked: boolean): Promise<InvitationRow[]> =>
  claimant?.idCardIndex
    ? (await listInvitations(db, { userId: claimant.userId, idCardIndex: claimant.idCardIndex, isLocked })).filter(
        one => nameKey(one.name) === nameKey(claimant.name),
      )
    : []

/** Name and phone of the form are the account's (ADR 0096), whatever the school wrote down. */
const take = async ({ services: { cipher } }: SignupContext, db: TenantDb, ctx: Ctx, claimant: Claimant, one: InvitationRow) => {
  const { tenantId } = db.actor
  const { userId, name, phone, phoneIndex, phoneMask } = claimant
  if (phone === null || phoneIndex === null || phoneMask === null) throw new Refused(refuse('kernel/not-found', {}))
  const value = cipher.open(tenantId, { table: 'account', column: 'phone_sealed', rowId: userId }, phone)
  const place = { table: 'signup', rowId: one.signupId } as const
  const sealed = sealPersonNumber(cipher, tenantId, place, { field: 'phone', value, index: phoneIndex, mask: phoneMask })
  const content = replaceAnswers(cipher, { tenantId, ...place }, one.content, { name, phone: value })
  await moveSignup(db, one, { userId, name, phone: sealed, content })
  await closeStandIn(db, one.standInId)
  await audit(db, ctx, {
    action: 'signup.taken-over',
    entity: 'signup',
    entityId: one.signupId,
    before: { userId: one.standInId },
    after: { userId },
  })
}

/**
 * Gives somebody who has just registered what schools have filled in for them: of each examination the first. What another school has filled in for the same one
 * goes on waiting, and can be taken instead. Call it in the transaction of the registration. @returns how many
 */
export const takeAllInvitations = async (deps: SignupContext, db: TenantDb, ctx: Ctx, userId: string): Promise<number> => {
  const claimant = await findClaimant(db, userId)
  const taken = new Set<string>()
  for (const one of await waitingFor(db, claimant, true)) {
    if (!claimant) continue
    if (taken.has(one.examId)) await deps.message.notifyAll(db, [userId], invitationNotice(one))
    else await take(deps, db, ctx, claimant, one)
    taken.add(one.examId)
  }
  return taken.size
}

/** What schools have filled in for the caller and the caller has not taken over. */
export const readInvitations = (ctx: Ctx, { examId }: InputOf<typeof ownInvitations>): Promise<OutputOf<typeof ownInvitations>> =>
  ctx.asSystem(because, async db => {
    const found = await waitingFor(db, await findClaimant(db, sessionOf(ctx).userId), false)
    return found
      .filter(one => examId === undefined || one.examId === examId)
      .map(({ signupId, examId: of, examName, groupName, importedAt }) => ({
        ...{ signupId, examId: of, examName },
        groupName: groupName ?? '',
        importTime: toWireTime(importedAt),
      }))
  })

/**
 * The caller takes over what a school has filled in, once: sign-up, answers, files and photo. An own draft is replaced where the caller says so.
 *
 * Refusals: kernel/not-found, signup/invitation-draft, signup/invitation-late.
 */
export const takeOwnInvitation = (
  deps: SignupContext,
  ctx: Ctx,
  { signupId, replace }: InputOf<typeof takeInvitation>,
): Promise<OutputOf<typeof takeInvitation>> =>
  ctx.asSystem(because, async db => {
    const { userId } = sessionOf(ctx)
    const claimant = await findClaimant(db, userId)
    const one = (await waitingFor(db, claimant, true)).find(each => each.signupId === signupId)
    if (!one || !claimant) throw new Refused(refuse('kernel/not-found', {}))
    await lock(db, `signup of ${userId} in ${one.examId}`)
    const own = await findOwnState(db, one.examId, userId)
    if (own !== undefined && own !== 'draft') throw new Refused(refuseSignup('signup/invitation-late', {}))
    if (own !== undefined && replace !== 1) throw new Refused(refuseSignup('signup/invitation-draft', {}))
    await dropOwnDraft(db, one.examId, userId)
    await take(deps, db, ctx, claimant, one)
    return { signUpId: one.signupId, examId: one.examId }
  })
