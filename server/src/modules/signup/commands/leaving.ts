import { refuse } from '#contract/kernel/errors.ts'
import { idsOf } from '#contract/kernel/ids.ts'
import { stateOfWire } from '#contract/kernel/machine.ts'
import type { OutputOf } from '#contract/kernel/route.ts'
import { type PayState, payStateWire } from '#contract/pay/order.state.ts'
import { signupDetail } from '#contract/signup/signup.routes.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import { safeName } from '#kernel/crud/export.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { fieldGate } from '#kernel/http/field-rule.ts'
import { listSignupIds, type SignupFilter } from '../data/leaving.repo.ts'
import { findOwnSignup, findSignup, type SignupRow } from '../data/signup.repo.ts'
import type { SignupContext } from '../deps.ts'
import { presentSignup } from '../present.ts'
import { accessTo, readerOf } from './review-scope.ts'
import { takesShortlistedOnly, unitsOf } from './visibility.ts'

/** Conditions of a call that lets sign-ups leave, as the database has them. */
export const signupFilterOf = (
  input: Omit<SignupFilter, 'examine' | 'payState' | 'ids' | 'isShortlisted' | 'isProposed' | 'reader' | 'inReachOf'> & {
    readonly examine?: number
    readonly payState?: number
    readonly proposed?: number
  },
): SignupFilter => ({
  ...{ examId: input.examId, unit: input.unit, type: input.type, code: input.code, keyword: input.keyword },
  examine: input.examine === undefined ? undefined : stateOfWire(signupMachine, input.examine),
  isProposed: input.proposed === 1,
  payState: (Object.keys(payStateWire) as PayState[]).find(state => payStateWire[state] === input.payState),
})

/** People of one archive; more would take hours. */
export const mostPeople = 20_000

/** Sign-ups that are to leave: a candidate's own, or what staff may see of what they asked for. @throws Refused kernel/not-found, kernel/too-many */
export const idsToLeave = async (
  db: TenantDb,
  ctx: Ctx,
  input: Parameters<typeof signupFilterOf>[0] & { readonly ids?: string },
): Promise<readonly string[]> => {
  const session = sessionOf(ctx)
  if (session.userType === 2) {
    const own = await findOwnSignup(db, input.examId, session.userId)
    const isMeant = own && own.examine !== 'draft' && (input.ids === undefined || idsOf(input.ids).every(id => id === own.id))
    if (!isMeant) throw new Refused(refuse('kernel/not-found', {}))
    return [own.id]
  }
  const wanted = input.ids === undefined ? undefined : idsOf(input.ids)
  const filter = { ...signupFilterOf(input), ids: wanted, isShortlisted: takesShortlistedOnly(session), ...readerOf(session) }
  const found = await listSignupIds(db, filter, unitsOf(session) ?? null, mostPeople + 1)
  if (found.length === 0 || (wanted !== undefined && found.length !== new Set(wanted).size))
    throw new Refused(refuse('kernel/not-found', {}))
  if (found.length > mostPeople) throw new Refused(refuse('kernel/too-many', { limit: mostPeople }))
  return found
}

const gate = fieldGate(signupDetail)
export interface LeavingSignup {
  readonly row: SignupRow
  /** As its reader sees it, rules of fields applied. */
  readonly view: OutputOf<typeof signupDetail>
}
/** One sign-up as the person sees it who lets it leave; undefined when it is gone meanwhile. */
export const readLeaving = async (deps: SignupContext, db: TenantDb, ctx: Ctx, id: string): Promise<LeavingSignup | undefined> => {
  const row = await findSignup(db, id)
  if (!row || row.examine === 'draft') return undefined
  const session = sessionOf(ctx)
  // What was recorded since the order counts.
  if (session.userType !== 2 && (await accessTo(db, session, row.id)) !== 'open') return undefined
  const view = await presentSignup(deps, db, ctx, row, session.userType === 2 ? 'owner' : 'staff')
  return { row, view: gate.show(session, view) as OutputOf<typeof signupDetail> }
}

/** Folders and beginning of the names of a person's papers: by unit and post, then by number and name. */
export const placeOf = ({ row, view }: LeavingSignup): string =>
  [view.unit ?? '-', view.code ?? '-', `${row.signNo ?? row.id}_${view.name ?? ''}`].map(part => safeName(part)).join('/')

/** Makes one thing after the other, a few at once, and hands them out in their order. */
export async function* inOrder<T>(ids: readonly string[], atOnce: number, make: (id: string) => Promise<T>): AsyncGenerator<T> {
  const running: Promise<T>[] = []
  try {
    for (const id of ids) {
      running.push(make(id))
      if (running.length < atOnce) continue
      yield await (running.shift() as Promise<T>)
    }
    while (running.length > 0) yield await (running.shift() as Promise<T>)
  } finally {
    // Whoever stops asking leaves some that are still being made.
    await Promise.allSettled(running)
  }
}
