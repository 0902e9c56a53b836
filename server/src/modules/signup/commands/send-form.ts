import type { InputOf } from '#contract/kernel/route.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import { refuseSignup } from '#contract/signup/signup.errors.ts'
import { submitSignup as submitRoute } from '#contract/signup/signup.routes.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { answerSealOf, inputDigest, once } from '#kernel/http/idempotency.ts'
import { openAppeal, withAppeal } from '#modules/organisation/index.ts'
import { findSignup, findVerifiedPerson } from '../data/signup.repo.ts'
import type { SignupContext } from '../deps.ts'
import { presentJudged, presentKept } from '../present.ts'
import { verifiedOf } from '../verified-answers.ts'
import { findKeptForm } from './draft.ts'
import { openForm } from './open-form.ts'
import { type Saved, saveSignup } from './save-signup.ts'
import { submitSignup } from './submit-signup.ts'

type Sent = Saved & { readonly savedAt: string }

const presentSaved = async (deps: SignupContext, ctx: Ctx, done: Sent) => {
  // Read when it is answered: an answer that is kept for a repetition holds nothing of the form.
  const kept = done.isBehind
    ? await ctx.asSystem('the sender’s own form, for another device of theirs', db => readShown(deps, db, ctx, done.id))
    : undefined
  return {
    id: done.id,
    examine: signupMachine.wire[done.state],
    signNo: done.signNo,
    signVersion: done.signVersion,
    ...presentJudged(ctx.say, done.judged),
    papers: [...(done.papers ?? [])],
    feeText: done.fee ? ctx.say(done.fee) : null,
    draftVersion: kept?.draftVersion ?? done.draftVersion,
    conflicts: [...done.conflicts],
    draft: kept?.draft ?? null,
    savedAt: done.savedAt,
  }
}

const readShown = async (deps: SignupContext, db: TenantDb, ctx: Ctx, id: string) => {
  const row = await findSignup(db, id)
  if (!row) return undefined
  return { draftVersion: row.draftMarks.v, draft: await presentKept(deps, db, ctx, row, await findKeptForm(deps, db, row)) }
}

const because = 'a submit moves counters of the examination and the post, which a candidate may not touch'

/** Saves or submits, once for each idempotency key. */
const send = async (deps: SignupContext, ctx: Ctx, input: InputOf<typeof submitRoute>): Promise<Sent> => {
  const write = input.submitType === 0 ? saveSignup : submitSignup
  const key = ctx.header('idempotency-key')
  const digest = inputDigest(submitRoute.path, input, ctx.files)
  return ctx.asSystem(because, db => {
    const call = { deps, db, ctx, input }
    // The time is part of what the key stores: a repetition tells when it was saved, not when it was asked again.
    const work = async () => ({ ...(await write(call, await opened)), savedAt: toWireTime(ctx.arrivedAt) })
    // The key is taken first, in the same batch: a repetition waits at it, and then gets the stored answer.
    const answered = key ? once(db, key, submitRoute.path, digest, work, answerSealOf(deps.services.cipher)) : undefined
    const opened = openForm(call)
    opened.catch(() => {})
    return answered ?? work()
  })
}

/** The same id number under another account, also one submitted in the same instant (scenario 2): refused with the place of an appeal. */
const asPersonTaken = async (deps: SignupContext, ctx: Ctx, error: unknown): Promise<never> => {
  const isTaken =
    error instanceof Refused
      ? error.refusal.reason === 'signup/person-taken'
      : (error as { constraint?: string }).constraint === 'signup_id_card_uq'
  if (!isTaken) throw error
  const { userId } = sessionOf(ctx)
  const { cipher } = deps.services
  const place = await ctx.asSystem('somebody else has signed up with the caller’s id number', async db => {
    const account = await findVerifiedPerson(db, userId)
    if (!account) return undefined
    const { name, idCard, nationality, phone } = verifiedOf(cipher, { tenantId: ctx.tenantId, userId }, account)
    return openAppeal(cipher, db, { kind: 'number', idCard: idCard ?? '', nationality, phone: phone ?? '', name, userId })
  })
  const refusal = refuseSignup('signup/person-taken', {})
  throw new Refused(place ? withAppeal(refusal, place) : refusal)
}

/**
 * Saves (submitType 0) or submits (1) the form, once for each idempotency key.
 *
 * Refusals: those of `saveSignup` and `submitSignup`; signup/person-taken with the place of an appeal.
 */
export const sendForm = async (deps: SignupContext, ctx: Ctx, input: InputOf<typeof submitRoute>) =>
  presentSaved(deps, ctx, await send(deps, ctx, input).catch(error => asPersonTaken(deps, ctx, error)))
