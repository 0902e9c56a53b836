import { copyMarkOf, earlierYearsIn } from '#contract/exam/copy-mark.ts'
import { examLabel } from '#contract/exam/exam.labels.ts'
import { isNeededPortrait, neededItems, portraitKind } from '#contract/exam/released.ts'
import { sitsPaper } from '#contract/exam/sits-paper.ts'
import { checkWindows, type ExamItemTimes, type ExamWindows, type WindowProblem, windowWarnings } from '#contract/exam/window.ts'
import type { Label } from '#contract/kernel/label.ts'
import type { VisibleWhen } from '#contract/signup/content.ts'

export interface ReleaseProblem {
  /** Where in the form the problem lies: `signEnd`, `signitems.idCard`, `posts.A001`. */
  readonly path: string
  readonly message: Label
}

export interface PaperFacts extends ExamItemTimes {
  readonly itemCode: string
  readonly typeCodes: readonly string[]
  readonly feeFen: number
}
export interface PostFacts {
  readonly code: string
  readonly itemCodes: readonly string[]
  readonly feeFen: number
}
export interface ReleaseFacts {
  readonly examName: string
  readonly year: number
  readonly description: string
  readonly examType: number
  readonly organizer: string
  readonly contactPhone: string
  readonly promise: string
  readonly feeMode: number
  readonly feeFen: number
  /** 1 passed sign-ups, 2 paid sign-ups. */
  readonly ratioBasis: number
  /** Milliseconds; null where it is not set. */
  readonly windows: { readonly [K in keyof ExamWindows]-?: number | null }
  readonly papers: readonly PaperFacts[]
  readonly posts: readonly PostFacts[]
  readonly items: readonly {
    readonly itemKey: string
    readonly itemLabel: string
    readonly itemLabelEn: string
    readonly required: number
    readonly visibleWhen: VisibleWhen | null
  }[]
  readonly files: readonly {
    readonly fileKey: string
    readonly fileLabel: string
    readonly fileLabelEn: string
    readonly kind: number
    readonly required: number
    readonly visibleWhen: VisibleWhen | null
    /** 1 sign-up, 2 eligibility re-review. */
    readonly stage: number
  }[]
}

/** Pairs of papers at the same time that a candidate of one post would have to sit both (domain 3.2). */
export function overlappingPapers(papers: readonly PaperFacts[], posts: readonly PostFacts[]): [PaperFacts, PaperFacts][] {
  const pairs = papers.flatMap((a, i) =>
    papers.slice(i + 1).flatMap((b): [PaperFacts, PaperFacts][] => (a.startTime < b.endTime && b.startTime < a.endTime ? [[a, b]] : [])),
  )
  return pairs.filter(([a, b]) => posts.some(post => sitsPaper(a, post) && sitsPaper(b, post)))
}

/** Conditions that name no field, are compared with nothing or wait for each other: what they guard would never be asked for. */
const conditionProblems = ({ items, files }: Pick<ReleaseFacts, 'items' | 'files'>): ReleaseProblem[] => {
  const whenOf = new Map(items.map(item => [item.itemKey, item.visibleWhen]))
  const isCircle = (key: string): boolean => {
    const seen = new Set<string>()
    for (let at = whenOf.get(key)?.key; at !== undefined && !seen.has(at); at = whenOf.get(at)?.key) {
      if (at === key) return true
      seen.add(at)
    }
    return false
  }
  const problemOf = (when: VisibleWhen, { zh, en }: Label, own: string | null): Label | undefined => {
    if (!whenOf.has(when.key))
      return {
        zh: `“${zh}”的显示条件引用了不存在的报名项 ${when.key}`,
        en: `“${en}” is shown by the answer to ${when.key}, which is not in the form`,
      }
    const named = [when.value ?? []].flat().filter(value => String(value).trim() !== '')
    if (when.op !== 'notEmpty' && named.length === 0)
      return { zh: `“${zh}”的显示条件没有填写条件的值`, en: `The condition of “${en}” compares with nothing` }
    return own !== null && isCircle(own)
      ? { zh: `“${zh}”的显示条件绕回自身，永远不会显示`, en: `The condition of “${en}” comes back to itself: it would never be shown` }
      : undefined
  }
  const all = [
    ...items.map(item => ({
      path: `signitems.${item.itemKey}`,
      label: { zh: item.itemLabel, en: item.itemLabelEn || item.itemLabel },
      own: item.itemKey,
      when: item.visibleWhen,
    })),
    ...files.map(file => ({
      path: `signfiles.${file.fileKey}`,
      label: { zh: file.fileLabel, en: file.fileLabelEn || file.fileLabel },
      own: null,
      when: file.visibleWhen,
    })),
  ]
  return all.flatMap(({ path, label, own, when }) => {
    const message = when ? problemOf(when, label, own) : undefined
    return message === undefined ? [] : [{ path, message }]
  })
}

/** Papers that posts name and that are not there: one problem each, however many name it. */
const danglingProblems = ({ papers, posts }: Pick<ReleaseFacts, 'papers' | 'posts'>): ReleaseProblem[] => {
  const paperCodes = new Set(papers.map(paper => paper.itemCode))
  const users = (pairs: readonly (readonly [missing: string, by: string])[]): ReadonlyMap<string, readonly string[]> => {
    const byMissing = new Map<string, string[]>()
    for (const [missing, by] of pairs) byMissing.set(missing, [...(byMissing.get(missing) ?? []), by])
    return byMissing
  }
  const gonePapers = users(
    posts.flatMap(post => post.itemCodes.filter(code => !paperCodes.has(code)).map(code => [code, post.code] as const)),
  )
  return [
    ...[...gonePapers].map(
      ([code, [first = '', ...more]]): ReleaseProblem => ({
        path: `posts.${first}`,
        message:
          more.length === 0
            ? { zh: `岗位 ${first} 的科目 ${code} 不存在`, en: `Post ${first}: there is no paper ${code}` }
            : {
                zh: `科目 ${code} 不存在，但被 ${more.length + 1} 个岗位使用（${first} 等）`,
                en: `There is no paper ${code}, but ${more.length + 1} posts use it (${first} and others)`,
              },
      }),
    ),
  ]
}

/** Everything that keeps an examination from being released, all at once (domain 4.1; windows by decision 1.6). */
export function releaseProblems(facts: ReleaseFacts): ReleaseProblem[] {
  const problems: ReleaseProblem[] = []
  const add = (path: string, zh: string, en: string) => problems.push({ path, message: { zh, en } })
  for (const field of ['organizer', 'contactPhone', 'promise'] as const) {
    const { zh, en } = examLabel(field)
    if (facts[field].trim() === '') add(field, `请填写${zh}`, `Fill in: ${en}`)
  }
  for (const field of ['signBegin', 'signEnd', 'examineEnd'] as const) {
    const { zh, en } = examLabel(field)
    if (facts.windows[field] === null) add(field, `请设置${zh}`, `Set: ${en}`)
  }
  const mark = copyMarkOf(facts.examName)
  if (mark !== undefined) add('examName', `考试名称仍带有“${mark}”`, `The name still ends in “${mark}”`)
  const { signBegin, signEnd, examineEnd } = facts.windows
  if (signBegin !== null && signEnd !== null && examineEnd !== null) {
    const windows: ExamWindows = { ...facts.windows, signBegin, signEnd, examineEnd }
    for (const { field, message } of checkWindows(windows, facts.papers, facts.feeMode))
      problems.push({ path: field === 'items' ? 'examitems' : field, message })
  }
  if (facts.posts.length === 0) add('posts', '至少需要一个岗位', 'At least one post is needed')
  for (const {
    key,
    label: { zh, en },
  } of neededItems) {
    const item = facts.items.find(one => one.itemKey === key)
    if (!item) add(`signitems.${key}`, `报名表缺少“${zh}”`, `The form lacks the ${en}`)
    else if (item.required !== 1) add(`signitems.${key}`, `“${zh}”须为必填`, `The ${en} must be required`)
    else if (item.visibleWhen)
      add(`signitems.${key}`, `“${zh}”须总是显示，请去掉显示条件`, `The ${en} must always be shown: take its condition away`)
  }
  const photos = facts.files.filter(file => file.kind === portraitKind)
  const [photo] = photos
  if (!photo) add('signfiles.photo', '报名材料缺少证件照', 'The portrait photo is not asked for')
  else if (!photos.some(isNeededPortrait))
    add(
      `signfiles.${photo.fileKey}`,
      '证件照须在报名时必交且总是显示',
      'The portrait photo must be required at sign-up and always be asked for',
    )
  problems.push(...conditionProblems(facts))
  if (facts.feeMode === 0 && facts.ratioBasis === 2)
    add(
      'ratioBasis',
      '不收费的考试没有缴费人数，开考比例须按审核通过人数',
      'Nobody pays without a fee: the ratio must count passed sign-ups',
    )
  if (facts.feeMode === 1 && facts.feeFen <= 0) add('feeFen', '按人收费须设置报名费', 'A fee per person needs an amount')
  if (facts.feeMode === 2 && !facts.papers.some(paper => paper.feeFen > 0))
    add('examitems', '按科目收费须设置科目费用', 'A fee per paper needs amounts')
  if (facts.feeMode === 3 && facts.posts.length > 0 && !facts.posts.some(post => post.feeFen > 0))
    add('posts', '按岗位收费须设置岗位报名费', 'A fee per post needs amounts')
  problems.push(...danglingProblems(facts))
  for (const [a, b] of overlappingPapers(facts.papers, facts.posts))
    add(`examitems.${b.itemCode}`, `科目时间重叠：${a.itemName}、${b.itemName}`, `Papers overlap in time: ${a.itemName}, ${b.itemName}`)
  return problems
}

const namesShown = 3
/** Times that have gone by already, which an examination that is not released yet has from the one it was copied from. */
export const pastProblems = (
  { windows: { signBegin, signEnd }, papers }: Pick<ReleaseFacts, 'windows' | 'papers'>,
  now: number,
): ReleaseProblem[] => {
  const { zh, en } = examLabel('signEnd')
  const over = papers.filter(paper => paper.startTime <= now)
  const [named, more] = [over.slice(0, namesShown).map(paper => paper.itemName), over.length > namesShown]
  return [
    // An end before its begin is a problem of its own.
    ...(signEnd !== null && signEnd <= now && (signBegin ?? 0) < signEnd
      ? [{ path: 'signEnd', message: { zh: `${zh}已过`, en: `${en}: in the past` } }]
      : []),
    ...(over.length === 0
      ? []
      : [
          {
            path: 'examitems',
            message: {
              zh: `${over.length} 个科目的时间已过：${named.join('、')}${more ? '等' : ''}`,
              en: `Papers in the past (${over.length}): ${named.join(', ')}${more ? ' and others' : ''}`,
            },
          },
        ]),
  ]
}

/** Texts of the examination that name an earlier year. */
const yearWarnings = (facts: ReleaseFacts): WindowProblem[] =>
  (['examName', 'description', 'promise'] as const).flatMap(field => {
    const [year] = earlierYearsIn(facts[field], facts.year)
    const { zh, en } = examLabel(field)
    return year === undefined ? [] : [{ field, message: { zh: `${zh}中写着 ${year} 年`, en: `${en} says ${year}` } }]
  })

/** Posts or papers without a fee where the others have one: meant, or forgotten. */
const freeWarnings = ({ feeMode, papers, posts }: ReleaseFacts): WindowProblem[] => {
  const all =
    feeMode === 3
      ? posts.map(post => ({ ...post, name: post.code }))
      : feeMode === 2
        ? papers.map(paper => ({ ...paper, name: paper.itemName }))
        : []
  const free = all.filter(one => one.feeFen === 0).map(one => one.name)
  if (free.length === 0 || free.length === all.length) return []
  const [shown, more] = [free.slice(0, namesShown), free.length > namesShown]
  return [
    {
      field: feeMode === 3 ? 'posts' : 'examitems',
      message: {
        zh: `${free.length} 个${feeMode === 3 ? '岗位' : '科目'}不收费（费用为 0）：${shown.join('、')}${more ? '等' : ''}`,
        en: `${feeMode === 3 ? 'Posts' : 'Papers'} without a fee (${free.length}): ${shown.join(', ')}${more ? ' and others' : ''}`,
      },
    },
  ]
}

/** What release only warns about (domain 3.1). */
export const releaseWarnings = (facts: ReleaseFacts): WindowProblem[] => {
  const { signBegin, signEnd, ticketBegin } = facts.windows
  return [
    ...(facts.papers.length === 0
      ? [
          {
            field: 'examitems',
            message: {
              zh: '没有考试科目：不会有座位、准考证和成绩',
              en: 'There are no papers: nobody gets a seat, a ticket or a score',
            },
          },
        ]
      : []),
    ...(signBegin === null || signEnd === null
      ? []
      : windowWarnings({ examType: facts.examType, signBegin, signEnd, ticketBegin, hasPapers: facts.papers.length > 0 })),
    ...freeWarnings(facts),
    ...yearWarnings(facts),
  ]
}

/** The problems that a change brought: those of `after` that stood nowhere in `before`. */
export const newProblems = (before: readonly ReleaseProblem[], after: readonly ReleaseProblem[]): ReleaseProblem[] => {
  const keyOf = ({ path, message }: ReleaseProblem) => `${path} ${message.zh}`
  const known = new Set(before.map(keyOf))
  return after.filter(problem => !known.has(keyOf(problem)))
}
