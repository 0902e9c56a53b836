import { dayProblem } from '#contract/kernel/date-facts.ts'
import { refuseField } from '#contract/kernel/errors.ts'
import { toWireDay, toWireTime } from '#contract/kernel/when.ts'
import { noTitle } from '#contract/signup/conditions.ts'
import { askedBeside, elsewhere, type Facts, placeAmong, placesIn } from '#contract/signup/fit.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { type Ctx, Refused, sessionOf } from '#kernel/http/context.ts'
import { findFacts, findReviewed, keepFacts } from '../data/fact.repo.ts'
import { factsKnown } from '../data/signup-facts.repo.ts'
import { judgingOf } from '../judging.ts'
import type { OpenExam } from '../open/board.ts'
import { dictionaryLabels } from './labels.ts'

/**
 * The account's own words, with what its id number and a review that passed have proven: those names say since when.
 * @param open - the examination whose questions are asked; without it the five alone
 */
export const readOwnFacts = async (ctx: Ctx, db: TenantDb, open: OpenExam | undefined) => {
  const { userId } = sessionOf(ctx)
  const onDay = open ? judgingOf(open.exam, ctx.arrivedAt).onDay : toWireDay(ctx.arrivedAt)
  const [kept, known, reviewed, dictionary] = await Promise.all([
    findFacts(db, userId),
    factsKnown(db, open?.exam.id ?? '0', userId, onDay),
    findReviewed(db, userId),
    dictionaryLabels(db),
  ])
  const places = placesIn(open?.posts ?? [])
  const { hukouAddress } = known
  const facts = { ...known, ...(open && hukouAddress ? { hukouAddress: placeAmong(places, hukouAddress) } : {}) }
  const isSame = (name: string) =>
    reviewed !== undefined && JSON.stringify(reviewed.content[name]) === JSON.stringify(known[name as keyof Facts])
  const verified = Object.keys(facts).flatMap(name => {
    if (name === 'birthday' || name === 'sex') return [{ name, time: null }]
    return isSame(name) ? [{ name, time: reviewed?.passedAt ? toWireTime(reviewed.passedAt) : null }] : []
  })
  const choicesOf = (code: string) => dictionary.entries(code).map(({ key, label }) => ({ value: key, label: ctx.say(label) }))
  const placeChoices = [...places, elsewhere].map(code => ({
    value: code,
    label: ctx.say(dictionary.labelOf('region', code) ?? { zh: code, en: code }),
  }))
  const choices = {
    ...{ education: choicesOf('education'), degree: choicesOf('degree'), cert: choicesOf('cert'), political: choicesOf('political') },
    title: [{ value: noTitle, label: ctx.say({ zh: '无', en: 'None' }) }, ...choicesOf('title')],
    hukouAddress: places.length === 0 ? [] : placeChoices,
  }
  return {
    ...{ facts, verified, savedAt: kept ? toWireTime(kept.updatedAt) : null, choices },
    asksEmployed: open === undefined || open.exam.freshEndsBy !== 0,
    asks: open ? askedBeside(open.posts, open.exam) : [],
  }
}

export const saveOwnFacts = async (ctx: Ctx, db: TenantDb, facts: Facts) => {
  const anchors = { now: toWireDay(ctx.arrivedAt), ...(facts.birthday ? { born: facts.birthday } : {}) }
  for (const name of ['birthday', 'graduateDate'] as const) {
    const wrong = dayProblem(name, facts[name] ?? '', anchors)
    if (wrong) throw new Refused(refuseField(name, wrong))
  }
  await keepFacts(db, sessionOf(ctx).userId, facts)
  return { savedAt: toWireTime(ctx.arrivedAt) }
}
