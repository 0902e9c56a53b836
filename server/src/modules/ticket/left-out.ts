import { refuse } from '#contract/kernel/errors.ts'
import type { Label } from '#contract/kernel/label.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { listLeftOut } from './data/eligible.repo.ts'
import { seatBar } from './domain/seat-bar.ts'

const mostNamed = 500

/** Somebody without a seat, and why. */
export interface LeftOut {
  readonly signUpId: string
  readonly signNo: string
  readonly name: string
  readonly reason: string
  readonly hasSeat: boolean
}

/** Who has passed, or has a seat, and is left out of these papers: by name and reason, before and after. */
export const leftOutOf = async (
  db: TenantDb,
  examId: string,
  itemIds: readonly string[],
  say: (label: Label) => string,
): Promise<LeftOut[]> =>
  (await listLeftOut(db, examId, itemIds, mostNamed)).map(({ signupId, signNo, name, hasSeat, ...facts }) => ({
    ...{ signUpId: signupId, signNo, name, hasSeat },
    reason: say((seatBar(facts) ?? refuse('kernel/not-supported', {})).text),
  }))
