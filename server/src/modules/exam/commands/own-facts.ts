import { toWireTime } from '#contract/kernel/when.ts'
import { type Facts, factKeys } from '#contract/signup/fit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, sessionOf } from '#kernel/http/context.ts'
import { findFacts, findReviewed, keepFacts } from '../data/fact.repo.ts'
import { answersOf } from '../data/signup-facts.repo.ts'
import { dictionaryLabels } from './labels.ts'

/** The account's own words, with what its id number and a review that passed have proven: those names say since when. */
export const readOwnFacts = async (ctx: Ctx, db: TenantDb) => {
  const { userId } = sessionOf(ctx)
  const [kept, answers, reviewed, dictionary] = await Promise.all([
    findFacts(db, userId),
    answersOf(db, '0', userId),
    findReviewed(db, userId),
    dictionaryLabels(db),
  ])
  const fact = (name: string): unknown => answers?.[name] ?? kept?.facts[name as keyof Facts]
  const isFact = (name: string, value: unknown) => (name === 'certName' ? Array.isArray(value) : typeof value === 'string' && value !== '')
  const facts = Object.fromEntries(
    factKeys.flatMap(name => {
      const value = fact(name)
      const list = name === 'certName' && typeof value === 'string' && value !== '' ? value.split(/[;；、,，]/) : value
      return isFact(name, list) ? [[name, list]] : []
    }),
  )
  const isSame = (name: string) => reviewed !== undefined && JSON.stringify(reviewed.content[name]) === JSON.stringify(answers?.[name])
  const verified = Object.keys(facts).flatMap(name => {
    if (name === 'birthday' || name === 'sex') return [{ name, time: null }]
    return isSame(name) ? [{ name, time: reviewed?.passedAt ? toWireTime(reviewed.passedAt) : null }] : []
  })
  const choicesOf = (code: string) => dictionary.entries(code).map(({ key, label }) => ({ value: key, label: ctx.say(label) }))
  const choices = { education: choicesOf('education'), degree: choicesOf('degree'), cert: choicesOf('cert') }
  return { facts, verified, savedAt: kept ? toWireTime(kept.updatedAt) : null, choices }
}

export const saveOwnFacts = async (ctx: Ctx, db: TenantDb, facts: Facts) => {
  await keepFacts(db, sessionOf(ctx).userId, facts)
  return { savedAt: toWireTime(ctx.arrivedAt) }
}
