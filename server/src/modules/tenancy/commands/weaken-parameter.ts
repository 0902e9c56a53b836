import type { Label } from '#contract/kernel/label.ts'
import { weakensTwoPersons } from '#contract/tenancy/parameter-rules.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import { endAct, findLiveAct, passAlone, twoPersonsOn, type Word } from '#kernel/two-persons.ts'

type Kind = 'parameterChange' | 'platformParameter'

/** How a person is told that another one has to do the same. */
export const waitsForSecond: Label = {
  zh: '已发起：此修改会放宽双人复核，须由另一人再次提交相同的值后生效',
  en: 'Begun: this weakens a rule of two persons, so another person has to submit the same value',
}

/** Change of a parameter: its row, key, and the values now and to be. */
export interface ParameterChange {
  readonly id: string
  readonly key: string
  readonly from: string
  readonly to: string
}

/**
 * The gate of a change of a parameter. What does not weaken a rule of two persons passes at once, and ends what was begun about the same parameter.
 * @returns how far it has come; undefined where one person is enough
 */
export const gateParameter = async (
  db: TenantDb,
  ctx: Ctx,
  kind: Kind,
  { id, key, from, to }: ParameterChange,
): Promise<Word | undefined> => {
  if (!weakensTwoPersons(key, from, to)) {
    passAlone(db, kind, 'notWeaker')
    if (from !== to) await endAct(db, ctx, kind, id, 'another value was set')
    return undefined
  }
  const live = await findLiveAct(db, kind, id)
  // Whoever began it may begin it with another value.
  if (live?.beganBy === sessionOf(ctx).userId && live.args['value'] !== to) await endAct(db, ctx, kind, id, 'entered anew')
  return twoPersonsOn(db, ctx, { ...{ kind, entityId: id, args: { key, value: to } }, subject: { value: from } })
}
