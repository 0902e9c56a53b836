import { nameWords } from '#contract/person/person-name.ts'
import { signupFigures } from '#contract/signup/figures.ts'
import type { SignupState } from '#contract/signup/signup.state.ts'
import { talliedIn } from '#kernel/db/figures.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { wordsLike } from '#kernel/db/search.ts'
import { allOf, type RawBuilder, sql } from '#kernel/db/sql.ts'
import type { ConflictItem } from '../domain/conflict.ts'
import type { ReviewScope } from '../domain/review-scope.ts'
import { isInReach, mayTake } from './reach.repo.ts'
import { conflictColumns } from './recusal.repo.ts'
import type { SignupRow } from './signup.repo.ts'
import { talliedTotal } from './tally.repo.ts'

/** What a line of a list shows; the answers and files of a sign-up are many times as large and stay where they are. */
export type SignupLine = Pick<
  SignupRow,
  | 'id'
  | 'examId'
  | 'signNo'
  | 'name'
  | 'nameRare'
  | 'idCardMask'
  | 'phoneMask'
  | 'sex'
  | 'unit'
  | 'type'
  | 'code'
  | 'code2'
  | 'type2'
  | 'unit2'
  | 'education'
  | 'major'
  | 'examine'
  | 'examineRemark'
  | 'examineTime'
  | 'examineLevel'
  | 'signVersion'
  | 'autoResult'
  | 'submitTime'
  | 'payState'
>
const lineColumns = sql`
  s.id::text as id, s.exam_id::text as "examId", s.sign_no as "signNo", s.name, s.name_rare as "nameRare", s.id_card_mask as "idCardMask",
  s.phone_mask as "phoneMask", s.sex, s.unit, s.type, s.code, s.code2, s.type2, s.unit2, s.education, s.major, s.examine,
  s.examine_remark as "examineRemark", s.examine_time as "examineTime", s.examine_level as "examineLevel", s.sign_version as "signVersion",
  s.auto_result as "autoResult", s.submit_time as "submitTime", s.pay_state as "payState"`

export interface ListedSignup extends SignupLine {
  readonly unitName: string | null
  readonly typeName: string | null
  readonly codeName: string | null
  readonly lockedBy: string | null
}
/** A line with what may stand between it and a reviewer. */
export type ReviewedLine = ListedSignup & ConflictItem & Pick<SignupRow, 'reviewer1Id'>

export interface ListFilter {
  readonly examId: string
  readonly states?: readonly SignupState[] | undefined
  readonly units?: readonly string[] | undefined
  readonly unit?: string | undefined
  readonly code?: string | undefined
  readonly nameLike?: string | undefined
  readonly signNo?: string | undefined
  /** Of a passport one for each country that may have issued it. */
  readonly idCardIndexes?: readonly string[] | undefined
  readonly phoneIndex?: string | undefined
  readonly autoResult?: string | undefined
  readonly mineOf?: string | undefined
  /** What was given to this reviewer, decided or not. */
  readonly givenTo?: string | undefined
  readonly isProposed?: boolean | undefined
  /** What this person may decide on now. */
  readonly takenBy?: { readonly userId: string; readonly runsExams: boolean } | undefined
  /** Who is or was on the shortlist. */
  readonly isShortlisted?: boolean | undefined
}

/**
 * One state is asked for with `=`: only then do the rows come out of the index in the order of the queue. Drafts are in no index of a list,
 * and a statement must say that it wants none to be answered from one.
 */
const stateCondition = (states: readonly SignupState[] | undefined): RawBuilder<unknown> => {
  const [only, ...more] = states ?? []
  if (states === undefined) return sql`s.examine <> 'draft'`
  return only !== undefined && more.length === 0
    ? sql`s.examine = ${only} and s.examine <> 'draft'`
    : sql`s.examine = any(${[...states]}) and s.examine <> 'draft'`
}

/** Of a sign-up `s`: somebody proposed to disqualify or to restore it, and nobody has decided. */
export const isProposed = sql`exists (select 1 from selection_proposal p where p.tenant_id = s.tenant_id and p.signup_id = s.id)`

/** A code as people type it: capitals or not, and the index is used all the same. */
const inAnyCase = (code: string): string[] => [...new Set([code, code.toUpperCase(), code.toLowerCase()])]

const conditionOf = (filter: ListFilter): RawBuilder<unknown> =>
  allOf([
    sql`s.exam_id = ${filter.examId} and not s.is_deleted`,
    stateCondition(filter.states),
    filter.units && sql`s.unit = any(${[...filter.units]})`,
    filter.unit !== undefined && sql`s.unit = any(${inAnyCase(filter.unit)})`,
    filter.code !== undefined && sql`s.code = any(${inAnyCase(filter.code)})`,
    filter.nameLike !== undefined && wordsLike(sql`s.name`, nameWords(filter.nameLike)),
    filter.signNo !== undefined && sql`s.sign_no = ${filter.signNo}`,
    filter.idCardIndexes !== undefined && sql`s.id_card_index = any(${[...filter.idCardIndexes]}::bpchar[])`,
    filter.phoneIndex !== undefined && sql`s.phone_index = ${filter.phoneIndex}`,
    filter.autoResult !== undefined && sql`s.auto_result = ${filter.autoResult}`,
    filter.mineOf !== undefined &&
      sql`exists (select 1 from examine_allot a where a.signup_id = s.id and a.reviewer_id = ${filter.mineOf} and a.state in (0, 1))`,
    filter.givenTo !== undefined && isInReach(filter.givenTo),
    filter.isProposed === true && isProposed,
    filter.takenBy && mayTake(filter.takenBy),
    filter.isShortlisted === true && sql`s.shortlist > 0`,
  ])

/**
 * Whether an index answers all that is asked, in its order, whichever state and unit it is: the tenant, the examination, one state, perhaps one unit; or
 * all states of all units.
 */
const isOfOneIndex = ({ examId: _examId, unit, states, ...more }: ListFilter): boolean =>
  (states === undefined ? unit === undefined : states.length === 1) && Object.values(more).every(value => value === undefined)

/** Sign-ups of states, units and posts are counted by what is kept of them: nothing else is asked. */
const isTallied = ({ examId: _examId, states: _states, units: _units, unit: _unit, code: _code, ...more }: ListFilter): boolean =>
  Object.values(more).every(value => value === undefined)

const waitingStates: readonly SignupState[] = ['waiting', 'second']
/** Whether all of these states are decided, or none of them; undefined where there are some of both. */
const areOver = (states: readonly SignupState[]): boolean | undefined => {
  const over = states.filter(state => !waitingStates.includes(state)).length
  return over === states.length ? true : over === 0 ? false : undefined
}

/**
 * One or two characters that every name found has, where the parts of names (`signup_name_part`) come in the order that is asked for: of all states those
 * that wait first, or of states that are decided or not. One of two characters is as a rule the rarer one. Each dot stands for each (`wordsLike`).
 */
const partAsked = (filter: ListFilter, order: 'wait' | 'submit'): string | undefined => {
  if (filter.nameLike === undefined || (filter.states === undefined ? order !== 'wait' : areOver(filter.states) === undefined))
    return undefined
  const pieces = nameWords(filter.nameLike).flatMap(word => word.split('·').map(piece => [...piece].slice(0, 2)))
  return pieces.sort((a, b) => b.length - a.length)[0]?.join('') || undefined
}

/** Whether the parts of names alone tell what is asked for: one word of at most two characters, in all states. */
const isPartAlone = ({ examId: _examId, nameLike, ...more }: ListFilter, part: string): boolean =>
  Object.values(more).every(value => value === undefined) && nameWords(nameLike ?? '').join(' ') === part

/** What the parts of names tell of those searched for, in the order of the list: their ids by themselves, or with whatever else is asked of the sign-up. */
const namedSource = (filter: ListFilter, order: 'wait' | 'submit', part: string) => {
  const { states } = filter
  const isOver = states && areOver(states)
  const parts = sql`signup_name_part p`
  const found = sql`p.exam_id = ${filter.examId} and p.part = lower(${part}) ${isOver === undefined ? sql`` : sql`and p.is_over = ${isOver}`}`
  const sorting =
    isOver === undefined
      ? sql`p.is_over, p.submit_time, p.signup_id`
      : order === 'wait'
        ? sql`p.submit_time, p.signup_id`
        : sql`p.submit_time desc, p.signup_id desc`
  const from = isPartAlone(filter, part)
    ? sql`${parts} where ${found}`
    : sql`${parts} join signup s on s.tenant_id = p.tenant_id and s.id = p.signup_id where ${found} and ${conditionOf(filter)}`
  return { from, sorting }
}

/** Rows skipped from which on it pays to find the ids of a page before its rows. */
const deepFrom = 100

/**
 * A page of sign-ups of one examination and how many there are. Deep pages and searches in names find the ids first, in the order of the
 * queue and from an index or the parts of names alone, then the rows. With a cap nothing is counted beyond one more than it. A page is the last of its transaction.
 * @param beside - what is asked in the same message; its statements are given before its first wait
 */
export const pageSignups = async <T>(
  db: TenantDb,
  filter: ListFilter,
  order: 'wait' | 'submit',
  page: { readonly limit: number; readonly offset: number; readonly cap?: number | undefined },
  beside: () => Promise<T>,
): Promise<{ rows: ReviewedLine[]; total: number; besides: T }> => {
  const where = conditionOf(filter)
  // Where every state is listed, what is decided waits no more and comes last; the expression is that of signup_wait_ix.
  const waitingFirst = filter.states === undefined ? sql`(s.examine not in ('waiting', 'second')), ` : sql``
  const sorting = order === 'wait' ? sql`${waitingFirst}s.submit_time, s.id` : sql`s.submit_time desc, s.id desc`
  // Limits and offset stand in the text: a plan that is kept must know that ten rows are wanted.
  const slice = sql`limit ${sql.lit(page.limit)} offset ${sql.lit(page.offset)}`
  const part = partAsked(filter, order)
  const named = part === undefined ? undefined : namedSource(filter, order, part)
  const isFoundById = page.offset >= deepFrom || filter.nameLike !== undefined
  const isPlannedOnce = isOfOneIndex(filter) && !isFoundById
  // Of each spelling of the unit as many as the page may need: the planner takes an array of units for many sign-ups, and would look through all that wait.
  const ofUnit = sql`unnest(${inAnyCase(filter.unit ?? '')}::varchar[]) spelt(unit) cross join lateral (
    select s.* from signup s where ${conditionOf({ ...filter, unit: undefined })} and s.unit = spelt.unit
    order by ${sorting} limit ${sql.lit(page.offset + page.limit)}) s`
  const isOfUnit = isOfOneIndex(filter) && filter.unit !== undefined
  const pageOf = (columns: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`(select ${columns} from ${isOfUnit ? ofUnit : sql`signup s where ${where}`} order by ${sorting} ${slice})`
  const ids = named ? sql`(select p.signup_id as id from ${named.from} order by ${named.sorting} ${slice})` : pageOf(sql`s.id`)
  const source = isFoundById
    ? sql`${ids} page join signup s on s.tenant_id = ${db.actor.tenantId} and s.id = page.id`
    : isOfUnit
      ? ofUnit
      : sql`${pageOf(sql`s.*`)} s`
  const isPost = sql`t.tenant_id = s.tenant_id and t.exam_id = s.exam_id and t.code = s.code and not t.is_deleted`
  // By index, each post is looked up where it is told that there is one at most: joined, all posts would be read for those of ten sign-ups.
  const post = isPlannedOnce
    ? sql`lateral (select t.unit_name, t.type_name, t.code_name from type_code t where ${isPost} limit 1) t on true`
    : sql`type_code t on ${isPost}`
  const matching = named ? named.from : sql`signup s where ${where}`
  const counted = page.cap === undefined ? matching : sql`(select from ${matching} limit ${sql.lit(page.cap + 1)}) s`
  if (isPlannedOnce) db.planOnce('by index')
  // Of the lock the last level comes first, in the order of the index of its sign-up: over a table that was empty yet, any other order is planned by reading all of it.
  const reading = sql<ReviewedLine>`
    select ${lineColumns}, ${conflictColumns}, s.reviewer1_id::text as "reviewer1Id", t.unit_name as "unitName", t.type_name as "typeName", t.code_name as "codeName",
      (select a.reviewer_name from examine_allot a where a.signup_id = s.id and a.state = 1 and a.lock_until > ${db.now} order by a.level desc limit 1) as "lockedBy"
    from ${source}
    left join ${post}
    order by ${sorting} ${isOfUnit && !isFoundById ? slice : sql``}`
  const counting = isTallied(filter)
    ? talliedTotal({
        ...{ examId: filter.examId, states: filter.states, units: filter.units },
        ...{
          unit: filter.unit === undefined ? undefined : inAnyCase(filter.unit),
          code: filter.code === undefined ? undefined : inAnyCase(filter.code),
        },
      })
    : sql<{ total: number }>`select count(*)::int as total from ${counted}`
  // Nothing is asked or decided after a page.
  const [besides, rows, { total }] = await db.last(() => {
    const given = beside()
    const asked = db.all(reading)
    // Whichever rows match are all counted: the narrowest index is the same for every unit, post and state.
    if (!isPlannedOnce && filter.nameLike === undefined) db.planOnce()
    return Promise.all([given, asked, db.one(counting)])
  })
  return { rows, total, besides }
}

/** So many that wait longest are never all in conflict with one reviewer. */
const nextAsked = 50

/**
 * Those that have waited longest and that nobody else holds, for continuous review: with what may stand between them and the reviewer. First whoever had to
 * leave a cancelled post and has waited once already.
 */
export const listNext = async (
  db: TenantDb,
  exam: { readonly id: string; readonly allowSameReviewer: boolean },
  level: 1 | 2,
  reviewerId: string,
  units: readonly string[] | undefined,
  scope: ReviewScope,
): Promise<ConflictItem[]> => {
  if (scope.kind === 'none') return []
  const find = (isFast: boolean) =>
    db.all(sql<ConflictItem>`
    select ${conflictColumns} from signup s
    where s.exam_id = ${exam.id} and s.examine = ${level === 1 ? 'waiting' : 'second'} and s.examine <> 'draft' and not s.is_deleted ${isFast ? sql`and s.reduction_state = 2` : sql``} ${units ? sql`and s.unit = any(${[...units]})` : sql``}
      ${level === 1 || exam.allowSameReviewer ? sql`` : sql`and s.reviewer1_id is distinct from ${reviewerId}`}
      and not exists (select 1 from examine_allot a where a.signup_id = s.id and a.state = 1 and a.lock_until > ${db.now} and a.reviewer_id <> ${reviewerId})
      ${scope.kind === 'allotted' ? sql`and exists (select 1 from examine_allot a where a.signup_id = s.id and a.reviewer_id = ${reviewerId} and a.state < 2)` : sql``}
      ${scope.kind === 'pool' && scope.units.length > 0 ? sql`and s.unit = any(${[...scope.units]})` : sql``}
      ${scope.kind === 'pool' && scope.codes.length > 0 ? sql`and s.code = any(${[...scope.codes]})` : sql``}
    order by s.submit_time, s.id limit ${sql.lit(nextAsked)}`)
  return [...(await find(true)), ...(await find(false))]
}

export interface UnitCount {
  readonly unit: string
  readonly unitName: string
  readonly total: number
  readonly waiting: number
  readonly passed: number
  readonly returned: number
  readonly rejected: number
}
/**
 * Live sign-ups by unit, those that somebody waits for in the given states; withdrawn ones are in lists and in no count, as everywhere.
 * A unit stands once however its name is spelt on its posts. @param givenTo - only what was given to this reviewer
 */
export const countByUnit = (
  db: TenantDb,
  { examId, units, waitingIn, givenTo }: Pick<ListFilter, 'examId' | 'units' | 'givenTo'> & { readonly waitingIn: readonly SignupState[] },
): Promise<UnitCount[]> =>
  db.all(sql<UnitCount>`
    select t.unit, t.unit_name as "unitName", ${talliedIn(signupFigures.signedUp, 's')} as total,
      coalesce(sum(s.n) filter (where s.examine = any(${[...waitingIn]})), 0)::int as waiting, ${talliedIn(signupFigures.passed, 's')} as passed,
      ${talliedIn(signupFigures.returned, 's')} as returned, ${talliedIn(signupFigures.refused, 's')} as rejected
    from (select unit, max(unit_name) as unit_name from type_code where exam_id = ${examId} and not is_deleted group by unit) t
    left join (${
      givenTo === undefined
        ? sql`select unit, examine, n from signup_tally where exam_id = ${examId}`
        : sql`select s.unit, s.examine, 1 as n from signup s where s.exam_id = ${examId} and s.examine <> 'draft' and not s.is_deleted and ${isInReach(givenTo)}`
    }) s on s.unit = t.unit
    where ${units ? sql`t.unit = any(${[...units]})` : sql`true`}
    group by t.unit, t.unit_name order by t.unit`)
