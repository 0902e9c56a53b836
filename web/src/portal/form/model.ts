import { type AnswerField, answerText } from '#contract/signup/answer-text.ts'
import { type Content, type ContentContext, normalizeContent, validateContent, visibleKeys, withDerived } from '#contract/signup/content.ts'
import { isSameValue, type OpenParts, openParts, signatureKey } from '#contract/signup/content-diff.ts'
import { post2Part, postPart } from '#contract/signup/draft-merge.ts'
import { regionKey } from '#contract/signup/region.ts'
import { checkFiles, visibleFiles } from '#contract/signup/required-files.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { answerWords } from '#web/kernel/i18n/answer-words.ts'
import { currentLang, type Lang } from '#web/kernel/i18n/index.ts'
import type { Advisement, Draft, Judged, SignFile, SignItem, SignupForm, UploadedFile } from '../wire.ts'

/** A chosen post, with the names to show. */
export interface PickedPost {
  readonly code: string
  readonly codeName: string
  readonly unitName: string
  readonly typeName: string
}

/** A post as people call it, with its code. */
export const postName = ({ code, codeName }: PickedPost): string => (codeName === code ? code : `${codeName} ${code}`)

export interface FormValues {
  readonly province: string
  readonly city: string
  readonly area: string
  readonly post: PickedPost | null
  readonly post2: PickedPost | null
  readonly content: Content
  readonly files: readonly UploadedFile[]
}

export type StepNo = 1 | 2 | 3 | 4

/** One thing that is wrong: `key` names the field (`post`, `file:photo`, `promise` or a path in the content). */
export interface Problem {
  readonly key: string
  readonly step: StepNo
  readonly message: string
}

export const itemsOf = (form: SignupForm): readonly SignItem[] => form.groups.flatMap(group => group.items)

/**
 * The second step, one subject a page: the groups of the form that have a field to show. A form that leaves only some fields open, or none, is
 * one page: there is little to do on it, and it is read as a whole.
 */
export const subjectsOf = (form: SignupForm, content: Content): readonly (readonly SignupForm['groups'][number][])[] => {
  const visible = visibleItems(itemsOf(form), content)
  const groups = form.groups.filter(group => group.items.some(item => visible.has(item.itemKey)))
  return openPartsOf(form) === null && groups.length > 0 ? groups.map(group => [group]) : [groups]
}

/** Which subject has the field of this key, or a cell of it; counted from 1. */
export const subjectOf = (form: SignupForm, content: Content, key: string): number => {
  const [field] = key.split('.')
  const at = subjectsOf(form, content).findIndex(groups => groups.some(group => group.items.some(item => item.itemKey === field)))
  return at < 0 ? 1 : at + 1
}

/** `yyyy-MM-dd` in Asia/Shanghai, which has no daylight saving. */
export const todayOf = (nowMs: number): string => new Date(nowMs + 8 * 3_600_000).toISOString().slice(0, 10)

type KnownPost =
  | { readonly code: string; readonly codeName: string; readonly unitName: string; readonly typeName: string }
  | null
  | undefined

/** The chosen post with its names where they are known. */
const picked = (code: string | null | undefined, known: readonly KnownPost[]): PickedPost | null => {
  if (!code) return null
  const post = known.find(one => one?.code === code)
  return { code, codeName: post?.codeName ?? code, unitName: post?.unitName ?? '', typeName: post?.typeName ?? '' }
}

/**
 * What the form starts with: the draft as far as it may be changed, else the sign-up, else what is known of the candidate. An answer that was
 * left out of a sign-up was left out on purpose; filled in again where it is locked, it could not be sent.
 */
export const startValues = (form: SignupForm, today: string): FormValues => {
  const { signup, draft } = form
  const known = [signup?.post, signup?.post2]
  const given = signup?.content ?? {}
  const start = ownValues(form, {
    province: signup?.province ?? '',
    city: signup?.city ?? '',
    area: signup?.area ?? '',
    post: picked(signup?.code, known) ?? picked(isReadOnly(form) ? null : form.wanted?.code, [form.wanted]),
    post2: picked(signup?.code2, known),
    content: withDerived(Object.keys(given).length === 0 ? form.prefill : given, today),
    files: signup?.files ?? [],
  })
  if (draft === null) return start
  return withinOpenParts(form, start, {
    province: draft.province ?? start.province,
    city: draft.city ?? start.city,
    area: draft.area ?? start.area,
    post: picked(draft.code ?? signup?.code, [draft.post, ...known]) ?? start.post,
    post2: picked(draft.code2, [draft.post2, ...known]),
    content: withDerived({ ...start.content, ...draft.content }, today),
    files: draft.files ?? start.files,
  })
}

/** Who signs up is said by the account; a sign-up that takes no change keeps what it was handed in with. */
const ownValues = (form: SignupForm, values: FormValues): FormValues =>
  isReadOnly(form) ? values : { ...values, content: { ...values.content, ...form.verified } }

/** Shown and never typed: it changes by a request, with proofs. */
export const isOwnAnswer = ({ verified }: SignupForm, key: string): boolean => verified !== undefined && Object.hasOwn(verified, key)

/** A kept draft as the form shows it, whole. */
export const valuesOfDraft = (form: SignupForm, draft: Draft): FormValues => ({
  province: draft.province ?? '',
  city: draft.city ?? '',
  area: draft.area ?? '',
  post: picked(draft.code, [draft.post, draft.post2, form.signup?.post]),
  post2: picked(draft.code2, [draft.post, draft.post2, form.signup?.post2]),
  content: draft.content,
  files: draft.files,
})

/** What was typed, as far as the form lets it be changed; everything else stays as it was handed in. */
export const withinOpenParts = (form: SignupForm, start: FormValues, typed: FormValues): FormValues =>
  ownValues(form, keptValues(form, start, typed))

const keptValues = (form: SignupForm, start: FormValues, typed: FormValues): FormValues => {
  const parts = openPartsOf(form)
  if (parts === null) return { ...typed, content: { ...start.content, ...typed.content } }
  const { province, city, area } = isItemOpen(parts, regionKey) ? typed : start
  const { post, post2 } = parts.post ? typed : start
  const answers = Object.entries(typed.content).filter(([key]) => isItemOpen(parts, key))
  const files = [
    ...start.files.filter(file => !isFileOpen(parts, file.fileKey)),
    ...typed.files.filter(file => isFileOpen(parts, file.fileKey)),
  ]
  return { province, city, area, post, post2, content: { ...start.content, ...Object.fromEntries(answers) }, files }
}

/** The input that a save and a submit have in common. An empty text takes back what an earlier save has kept. */
export const toInput = (form: SignupForm, values: FormValues, today: string) => ({
  examId: form.exam.id,
  ...(form.signup ? { id: form.signup.id } : {}),
  province: values.province,
  city: values.city,
  area: values.area,
  code: values.post?.code ?? '',
  code2: values.post2?.code ?? '',
  content: contentToSend(itemsOf(form), values.content, today),
  fileIds: fileIdsOf(values.files),
})

/** The answers that are sent: visible fields in stored form. */
const contentToSend = (items: readonly SignItem[], content: Content, today: string): Record<string, unknown> =>
  normalizeContent(items, withDerived(content, today))

/** `{fileKey: [fileId]}` */
export const fileIdsOf = (files: readonly UploadedFile[]): Record<string, string[]> => {
  const ids: Record<string, string[]> = {}
  for (const { fileKey, fileId } of files) ids[fileKey] = [...(ids[fileKey] ?? []), fileId]
  return ids
}

/** Any key: for a dictionary whose entries did not come along, the server is the judge. */
const anyKey: ReadonlySet<string> = Object.assign(new Set<string>(), { has: () => true })

const contextOf = (items: readonly SignItem[], today: string): ContentContext => {
  const known = new Map<string, ReadonlySet<string>>()
  const learn = (field: { dictCode?: string | null; options?: readonly { value: string }[] | null }) => {
    if (field.dictCode && field.options) known.set(field.dictCode, new Set(field.options.map(option => option.value)))
  }
  for (const item of items) {
    learn(item)
    for (const column of item.columns ?? []) learn(column)
  }
  return { today, dictionary: code => known.get(code) ?? anyKey }
}

export const contentProblems = (items: readonly SignItem[], content: Content, today: string, lang: Lang): readonly Problem[] =>
  validateContent(items, contentToSend(items, content, today), contextOf(items, today)).map(problem => ({
    key: problem.path,
    step: 2,
    message: problem.message[lang],
  }))

const fileProblems = (form: SignupForm, values: FormValues, lang: Lang): readonly Problem[] =>
  checkFiles(form.files, itemsOf(form), values.content, values.files).map(problem => ({
    key: `file:${problem.fileKey}`,
    step: 3,
    message: problem.message[lang],
  }))

/** Files that are asked for with these answers. */
export const askedFiles = (form: SignupForm, content: Content): readonly SignFile[] => {
  const keys = new Set(visibleFiles(form.files, itemsOf(form), content).map(file => file.fileKey))
  return form.files.filter(file => keys.has(file.fileKey))
}

/** Whether what a chosen post asks for is met only with this file. */
export const isForPost = ({ autoCheck }: Pick<Judged, 'autoCheck'>, fileKey: string): boolean =>
  autoCheck.some(({ rule, field }) => field === `file:${fileKey}` && rule !== 'evidence' && rule !== 'photo')

/** Everything that is wrong, in the order of the steps. */
export const allProblems = (form: SignupForm, values: FormValues, needPost: string, today: string, lang: Lang): readonly Problem[] => [
  ...(values.post === null ? [{ key: 'post', step: 1 as const, message: needPost }] : []),
  ...contentProblems(itemsOf(form), values.content, today, lang),
  ...fileProblems(form, values, lang),
]

/**
 * Everything that is wrong now, with what the server told when it last saw the form: each field once.
 * @param uploads - files that did not arrive; they say more than that a file is missing
 */
export const problemsNow = (
  form: SignupForm,
  { values, judged }: { readonly values: FormValues; readonly judged: Judged },
  uploads: readonly Problem[],
  needPost: string,
  lang: Lang,
): readonly Problem[] => {
  const told = judged.told.map(({ field, msg }) => serverProblem(form, field, msg))
  const all = [...uploads, ...allProblems(form, values, needPost, todayOf(serverNow()), lang), ...told]
  return all.filter((one, at) => all.findIndex(({ key }) => key === one.key) === at).toSorted((a, b) => a.step - b.step)
}

/**
 * Everything that keeps the form from being handed in: what the submit looks at, and what the form says is missing.
 * @param coming - keys of files that are on their way, which are not missing
 */
export const missingNow = (
  form: SignupForm,
  state: { readonly values: FormValues; readonly judged: Judged; readonly promise: boolean; readonly signature: string },
  uploads: readonly Problem[],
  coming: ReadonlySet<string>,
  need: { readonly post: string; readonly promise: string; readonly signature: string },
  lang: Lang,
): readonly Problem[] => [
  ...problemsNow(form, state, uploads, need.post, lang).filter(problem => !coming.has(problem.key)),
  ...(state.promise ? [] : [{ key: 'promise', step: 4 as const, message: need.promise }]),
  ...(form.exam.needSignature && state.signature === '' ? [{ key: 'signature', step: 4 as const, message: need.signature }] : []),
]

/** The server's field paths in the form's own words: `content.name` → `name`, `file_photo` and `files.photo` → `file:photo`. */
export const serverProblem = (form: SignupForm, field: string, message: string): Problem => {
  const file = /^(?:file_|files\.|file:)(.+)$/.exec(field)?.[1]
  if (file !== undefined) return { key: `file:${file}`, step: 3, message }
  const key = field.replace(/^content\./, '')
  if (form.files.some(one => one.fileKey === key)) return { key: `file:${key}`, step: 3, message }
  if (/^(code2?|type2?|unit2?)$/.test(key)) return { key: 'post', step: 1, message }
  if (key === regionKey) return { key, step: 1, message }
  if (key === 'promise' || key === 'signature') return { key, step: 4, message }
  return { key, step: 2, message }
}

/** The name of a part of the form (contract `draft-merge.ts`). */
export const partName = (form: SignupForm, key: string): string => {
  const zh = currentLang() === 'zh'
  if (key === postPart) return zh ? '报考岗位' : 'Post'
  if (key === post2Part) return zh ? '第二志愿' : 'Second choice'
  if (key === regionKey) return form.exam.regionLabel
  const file = form.files.find(one => `file:${one.fileKey}` === key)
  return file?.fileLabel ?? itemsOf(form).find(item => item.itemKey === key)?.itemLabel ?? key
}

/** A sign-up that is in review or has passed, and takes no change: there to be read. */
export const isReadOnly = (form: SignupForm): boolean => {
  const state = form.signup?.examine
  return !form.canSubmit && (state === 1 || state === 2 || state === 5)
}

const nothingOpen: OpenParts = { everything: false, itemKeys: new Set(), fileKeys: new Set(), post: false }

/** What a sign-up leaves open; null when everything may be changed. */
export const openPartsOf = (form: SignupForm): OpenParts | null => {
  if (isReadOnly(form)) return nothingOpen
  if (form.signup?.examine !== 3) return null
  const parts = openParts(form.signup.advisementList ?? [], itemsOf(form), form.files)
  return parts.everything ? null : parts
}

/** Until when changes that were asked for are taken. */
export const deadlineOf = ({ exam }: SignupForm): string => exam.my?.nextAction.deadline ?? exam.modifyEnd ?? exam.signEnd

export const isItemOpen = (parts: OpenParts | null, key: string): boolean => parts === null || parts.itemKeys.has(key)
export const isFileOpen = (parts: OpenParts | null, key: string): boolean => parts === null || parts.fileKeys.has(key)

/** The place in the form where an advice can be followed. */
export const spotOfAdvice = ({ kind, key }: Advisement): Pick<Problem, 'step' | 'key'> => {
  if (kind === 'post') return { step: 1, key: 'post' }
  if (key === regionKey) return { step: 1, key }
  // The undertaking is signed in the last step, anew for each submit.
  if (key === signatureKey) return { step: 4, key: 'signature' }
  if (kind === 'file') return { step: 3, key: `file:${key}` }
  // Both are read out of the id number.
  return { step: 2, key: key === 'birthday' || key === 'sex' ? 'idCard' : key }
}

/**
 * Whether the candidate has changed what an advice asks for.
 * @param signature - the picture that signs this submit; empty before somebody has signed
 */
export const isMended = (advice: Advisement, form: SignupForm, values: FormValues, signature: string): boolean => {
  const { signup } = form
  if (!signup) return false
  if (advice.key === signatureKey) return signature !== ''
  if (advice.kind === 'post')
    return (values.post?.code ?? '') !== (signup.code ?? '') || (values.post2?.code ?? '') !== (signup.code2 ?? '')
  if (advice.kind === 'file') {
    const ids = (files: readonly UploadedFile[]) =>
      files
        .filter(file => file.fileKey === advice.key)
        .map(file => file.fileId)
        .sort()
    return !isSameValue(ids(signup.files), ids(values.files))
  }
  if (advice.key === regionKey)
    return !isSameValue([signup.province, signup.city, signup.area], [values.province, values.city, values.area])
  return !isSameValue(signup.content[advice.key], values.content[advice.key])
}

/** What was done about a file: the first one takes the place of none. */
export const fileMended = ({ key }: Pick<Advisement, 'key'>, before: readonly Pick<UploadedFile, 'fileKey'>[]) =>
  before.some(({ fileKey }) => fileKey === key) ? 'form.fix.file' : 'form.files.done'

/** The advice of a return that points at something which still reads as it was handed in; advice about the whole form points at nothing. */
export const unmended = (form: SignupForm, values: FormValues, signature: string): readonly Advisement[] =>
  form.signup?.examine === 3
    ? form.signup.advisementList.filter(advice => advice.kind !== 'other' && !isMended(advice, form, values, signature))
    : []

/** A value as its reader knows it: the words of a dictionary, the rows of a table. */
export const displayValue = (item: AnswerField, value: unknown): string => answerText(item, value, answerWords())

export const visibleItems = (items: readonly SignItem[], content: Content): ReadonlySet<string> => visibleKeys(items, content)

/** How a day and a month are written, said where the browser has no control of its own for them. */
export const formOfDay: Readonly<Record<string, string>> = { date: 'YYYY-MM-DD', month: 'YYYY-MM' }
