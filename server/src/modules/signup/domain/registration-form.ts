import type { Label } from '#contract/kernel/label.ts'
import { type AnswerField, type AnswerWords, answerText } from '#contract/signup/answer-text.ts'
import { type Content, type SignItem, visibleKeys } from '#contract/signup/content.ts'
import { postPart } from '#contract/signup/draft-merge.ts'

/**
 * A registration form as it is printed (报名登记表): all texts are final.
 * @typeParam P - what stands for a picture: its bytes to print, its link to show
 */
export interface FormSheet<P = Uint8Array> {
  readonly examName: string
  readonly title: string
  /** Says that the form is not handed in; null of what was. */
  readonly mark: string | null
  readonly organizer: string
  readonly numberLabel: string
  readonly signNo: string
  readonly dateText: string
  readonly photoLabel: string
  readonly photo: P | null
  readonly blocks: readonly FormBlock[]
  readonly undertaking: {
    readonly title: string
    readonly text: string
    readonly signLabel: string
    readonly signature: P | null
    readonly dateLabel: string
    readonly date: string
  }
  readonly opinions: readonly {
    readonly title: string
    readonly text: string
    readonly signLabel: string
    readonly name: string
    readonly dateLabel: string
    readonly date: string
  }[]
  /** `{page}` and `{pages}`. */
  readonly foot: string
  /** ISO instant. */
  readonly createdAt: string
}
export interface FormPair {
  readonly label: string
  readonly value: string
  /** Takes the whole width. */
  readonly isWide: boolean
}
interface Block {
  readonly title: string
  /** Where it is filled in: the post, or the field of this key. */
  readonly field: string
}
export type FormBlock = Block &
  (
    | { readonly kind: 'pairs'; readonly pairs: readonly FormPair[] }
    | { readonly kind: 'table'; readonly heads: readonly string[]; readonly rows: readonly (readonly string[])[] }
  )

interface GroupedForm {
  readonly name: string
  readonly items: readonly (Omit<AnswerField, 'columns'> & {
    readonly itemKey: string
    readonly itemLabel: string
    readonly columns: readonly (AnswerField & { readonly key: string; readonly label: string })[] | null
  })[]
}

export interface FormFacts<P = Uint8Array> {
  readonly say: (label: Label) => string
  readonly exam: { readonly examName: string; readonly organizer: string; readonly promise: string }
  readonly groups: readonly GroupedForm[]
  /** To know which fields were asked for at all. */
  readonly items: readonly Pick<SignItem, 'itemKey' | 'visibleWhen'>[]
  readonly regionName: (code: string) => string
  /** What the region of the sign-up means; null where a field of the form asks for it. */
  readonly regionLabel: Label | null
  readonly signup: {
    readonly signNo: string | null
    readonly submitTime: string | null
    readonly signVersion: number
    readonly province: string | null
    readonly city: string | null
    readonly area: string | null
    readonly adjust: number
    readonly content: Content
    readonly contentLabels: Readonly<Record<string, string>>
    readonly post: FormPost | null
    readonly post2: FormPost | null
    readonly records: readonly {
      readonly level: number
      readonly result: number
      readonly remark: string | null
      readonly examinerName: string
      readonly examineTime: string
    }[]
  }
  readonly levels: 1 | 2
  readonly promiseDate: string | null
  readonly photo: P | null
  readonly signature: P | null
  /** What is filled in, or waits to be handed in once more, is no form yet. */
  readonly isDraft: boolean
  /** When and by whom it is printed. */
  readonly printed: string
  readonly createdAt: string
}
interface FormPost {
  readonly code: string
  readonly codeName: string
  readonly unitName: string
  readonly typeName: string
}

/** Longer values than this get the whole width. */
const wideFrom = 20
const widthOf = (text: string): number => [...text].reduce((sum, char) => sum + ((char.codePointAt(0) ?? 0) > 0xff ? 1 : 0.55), 0)

const words = {
  title: { zh: '报 名 登 记 表', en: 'Registration form' },
  draft: { zh: '草稿，尚未提交', en: 'Draft, not handed in' },
  number: { zh: '报名序号：', en: 'Sign-up no.: ' },
  submitted: { zh: '提交时间：', en: 'Submitted: ' },
  photo: { zh: '照片', en: 'Photo' },
  post: { zh: '报考岗位', en: 'Post applied for' },
  unit: { zh: '招聘单位', en: 'Hiring unit' },
  type: { zh: '岗位类别', en: 'Category' },
  code: { zh: '岗位', en: 'Post' },
  second: { zh: '第二志愿', en: 'Second choice' },
  adjust: { zh: '服从调剂', en: 'Accepts adjustment' },
  yes: { zh: '是', en: 'Yes' },
  no: { zh: '否', en: 'No' },
  undertaking: { zh: '诚信承诺', en: 'Undertaking' },
  signed: { zh: '本人签名：', en: 'Signature:' },
  date: { zh: '日期：', en: 'Date: ' },
  first: { zh: '初审意见', en: 'First review' },
  review: { zh: '审核意见', en: 'Review' },
  secondReview: { zh: '复核意见', en: 'Second review' },
  reviewer: { zh: '审核人（签名）：', en: 'Reviewer:' },
  passed: { zh: '审核通过', en: 'Passed' },
  returned: { zh: '退回修改', en: 'Returned' },
  refused: { zh: '审核不通过', en: 'Refused' },
  provided: { zh: '已提供', en: 'Provided' },
  page: { zh: '第 {page} 页 共 {pages} 页', en: 'Page {page} of {pages}' },
} as const satisfies Readonly<Record<string, Label>>
const results: Readonly<Record<number, Label>> = { 1: words.passed, 2: words.returned, 3: words.refused }

const pairOf = (label: string, value: string): FormPair => ({ label, value, isWide: value.includes('\n') || widthOf(value) > wideFrom })

/** What is printed of a sign-up: every field that was asked for, in the order of the form, as its reader sees it. */
export const registrationForm = <P>(facts: FormFacts<P>): FormSheet<P> => {
  const { say, signup, exam } = facts
  const answerWords: AnswerWords = {
    chosen: (field, key) =>
      field.fieldType === 'region' ? facts.regionName(key) : field.options?.find(option => option.value === key)?.label,
    ...{ between: say({ zh: '、', en: ', ' }), betweenCells: ' ', betweenRows: say({ zh: '；', en: '; ' }) },
    ...{ provided: say(words.provided), sealed: '****' },
  }
  const asked = visibleKeys(facts.items, signup.content)
  const blocks: FormBlock[] = []
  for (const group of facts.groups) {
    const shown = group.items.filter(item => asked.has(item.itemKey))
    const pairs = shown
      .filter(item => item.fieldType !== 'table')
      .map(item =>
        pairOf(item.itemLabel, signup.contentLabels[item.itemKey] ?? answerText(item, signup.content[item.itemKey], answerWords)),
      )
    const field = shown.find(item => item.fieldType !== 'table')?.itemKey ?? ''
    if (pairs.length > 0) blocks.push({ kind: 'pairs', title: group.name, field, pairs })
    for (const item of shown.filter(one => one.fieldType === 'table')) {
      const given = signup.content[item.itemKey]
      const rows = Array.isArray(given) ? given : []
      const columns = item.columns ?? []
      blocks.push({
        kind: 'table',
        title: item.itemLabel,
        field: item.itemKey,
        heads: columns.map(column => column.label),
        rows: rows.map((row: unknown) =>
          columns.map(column => answerText(column, (row as Record<string, unknown>)[column.key], answerWords)),
        ),
      })
    }
  }
  const postName = (post: FormPost | null): string => (post === null ? '' : `${post.code} ${post.codeName}`)
  const region = [signup.province, signup.city, signup.area].filter(code => code !== null && code !== '').at(-1)
  const post: FormBlock = {
    kind: 'pairs',
    title: say(words.post),
    field: postPart,
    pairs: [
      pairOf(say(words.unit), signup.post?.unitName ?? ''),
      pairOf(say(words.type), signup.post?.typeName ?? ''),
      pairOf(say(words.code), postName(signup.post)),
      ...(signup.post2 === null ? [] : [pairOf(say(words.second), `${signup.post2.unitName} ${postName(signup.post2)}`)]),
      ...(asked.has('adjust') ? [] : [pairOf(say(words.adjust), say(signup.adjust === 1 ? words.yes : words.no))]),
      ...(facts.regionLabel === null ? [] : [pairOf(say(facts.regionLabel), region ? facts.regionName(region) : '')]),
    ],
  }
  const opinionOf = (level: 1 | 2, title: Label) => {
    const record = signup.records.filter(one => one.level === level).at(-1)
    const result = record && results[record.result]
    return {
      title: say(title),
      text: record && result ? [say(result), record.remark ?? ''].filter(part => part !== '').join('\n') : '',
      signLabel: say(words.reviewer),
      name: record?.examinerName ?? '',
      dateLabel: say(words.date),
      date: record?.examineTime.slice(0, 10) ?? '',
    }
  }
  return {
    examName: exam.examName,
    title: say(words.title),
    mark: facts.isDraft ? say(words.draft) : null,
    organizer: exam.organizer,
    numberLabel: say(words.number),
    signNo: signup.signNo ?? '',
    dateText: signup.submitTime === null ? '' : `${say(words.submitted)}${signup.submitTime.slice(0, 16)}`,
    photoLabel: say(words.photo),
    photo: facts.photo,
    // The person comes first, then what they apply for.
    blocks: [...blocks.slice(0, 1), post, ...blocks.slice(1)],
    undertaking: {
      title: say(words.undertaking),
      text: exam.promise,
      signLabel: say(words.signed),
      signature: facts.signature,
      dateLabel: say(words.date),
      date: facts.promiseDate ?? '',
    },
    opinions: facts.levels === 1 ? [opinionOf(1, words.review)] : [opinionOf(1, words.first), opinionOf(2, words.secondReview)],
    foot: `${signup.signNo ?? ''} · v${signup.signVersion} · ${facts.printed} · ${say(words.page)}`,
    createdAt: facts.createdAt,
  }
}
