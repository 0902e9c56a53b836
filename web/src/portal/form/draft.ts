import {
  changedParts,
  type Edits,
  isPartOpen,
  maxUnheard,
  type Parts,
  partsOf,
  post2Part,
  postPart,
  takeParts,
} from '#contract/signup/draft-merge.ts'
import { regionKey } from '#contract/signup/region.ts'
import { draftOf } from '../to-form.ts'
import type { SignupForm, SubmitAnswer } from '../wire.ts'
import { type FormValues, openPartsOf, valuesOfDraft } from './model.ts'

/** A field that another device has changed too: the candidate chooses. */
export interface Conflict {
  readonly key: string
  /** When the other device changed it, ms since 1970. */
  readonly at: number
  /** The form as the other device left it. */
  readonly theirs: FormValues
}

/** How far this device has come with a form. */
export interface Sync {
  /** `draftVersion` last heard of. */
  readonly version: number
  /** Fields changed here that the server has not got. */
  readonly edits: Edits
  readonly conflicts: readonly Conflict[]
}

/** A form in the parts it is merged by; a region that a field of the form asks for is that field's answer. */
export const valueParts = ({ content, files, post, post2, province, city, area }: FormValues, asksRegion: boolean): Parts =>
  partsOf({
    ...{ content, files, code: post?.code ?? '', code2: post2?.code ?? '' },
    region: asksRegion ? area || city || province : undefined,
  })

/** Takes fields of one form into another. */
export const takeFields = (into: FormValues, from: FormValues, fields: ReadonlySet<string>): FormValues => {
  const { province, city, area } = fields.has(regionKey) ? from : into
  const isFileTaken = (fileKey: string) => fields.has(`file:${fileKey}`)
  return {
    ...{ province, city, area },
    post: fields.has(postPart) ? from.post : into.post,
    post2: fields.has(post2Part) ? from.post2 : into.post2,
    content: takeParts(into.content, from.content, fields),
    files: [...into.files.filter(file => !isFileTaken(file.fileKey)), ...from.files.filter(file => isFileTaken(file.fileKey))],
  }
}

/** Notes which fields a change has touched, and on which save it stands. */
export const editsAfter = ({ edits, version }: Sync, before: FormValues, after: FormValues, nowMs: number): Edits => {
  const touched = changedParts(valueParts(before, true), valueParts(after, true))
  const noted = touched.map(key => {
    const former = Object.hasOwn(edits, key) ? edits[key] : undefined
    return [key, { at: nowMs, base: former?.base ?? version, ...(former?.was === undefined ? {} : { was: former.was }) }] as const
  })
  return { ...edits, ...Object.fromEntries(noted) }
}

/** What a form that the server has never seen begins with goes along with the first save. */
export const firstEdits = (form: SignupForm, values: FormValues): Edits =>
  form.signup !== null
    ? {}
    : Object.fromEntries(changedParts({}, valueParts(values, form.asksRegion)).map(key => [key, { at: 0, base: form.draftVersion }]))

/** The edits that a save sends: what the candidate is asked about waits, and what a return locks is not sent. */
export const editsToSend = (form: SignupForm, { edits, conflicts }: Sync): Edits => {
  const open = openPartsOf(form)
  return Object.fromEntries(
    Object.entries(edits).filter(([key]) => isPartOpen(open, key) && !conflicts.some(conflict => conflict.key === key)),
  )
}

/** Notes that these edits are on their way: should the answer be lost, the save is known as one's own. */
export const onTheirWay = (edits: Edits, sent: Edits): Edits =>
  Object.fromEntries(
    Object.entries(edits).map(([key, edit]) => {
      const { at, was = [] } = edit
      return [key, Object.hasOwn(sent, key) && !was.includes(at) ? { ...edit, was: [...was, at].slice(-maxUnheard) } : edit]
    }),
  )

/** The form after a save was answered: what others have saved comes in, what was typed meanwhile stays. */
export const afterSave = (
  form: SignupForm,
  state: Sync & { readonly values: FormValues },
  sent: Edits,
  answer: Pick<SubmitAnswer, 'draftVersion' | 'conflicts' | 'draft'>,
): Sync & { readonly values: FormValues } => {
  const asked = new Map(answer.conflicts.map(({ key, at }) => [key, at]))
  const edits = Object.fromEntries(
    Object.entries(state.edits).flatMap(([key, edit]) => {
      if (!Object.hasOwn(sent, key) || asked.has(key)) return [[key, edit]]
      // Typed on since: what was sent is the save it stands on.
      return sent[key]?.at === edit.at ? [] : [[key, { at: edit.at, base: answer.draftVersion }]]
    }),
  )
  const draft = draftOf(answer.draft)
  if (draft === null) return { ...state, edits, version: answer.draftVersion }
  const theirs = valuesOfDraft(form, draft)
  const differing = changedParts(valueParts(state.values, form.asksRegion), valueParts(theirs, form.asksRegion))
  const news = new Set(differing.filter(key => !Object.hasOwn(edits, key)))
  const conflicts = [...asked].map(([key, at]) => ({ key, at, theirs }))
  return {
    ...{ edits, version: answer.draftVersion },
    values: takeFields(state.values, theirs, news),
    // What waits for a choice is chosen against what stands now.
    conflicts: [...state.conflicts.filter(({ key }) => !asked.has(key)).map(one => ({ ...one, theirs })), ...conflicts],
  }
}

/** The form after the candidate has chosen, for each field that was asked about. */
export const afterChoice = (
  state: Sync & { readonly values: FormValues },
  isMine: (key: string) => boolean,
  nowMs: number,
): Sync & { readonly values: FormValues } => {
  let { values } = state
  const edits = { ...state.edits }
  for (const { key, theirs } of state.conflicts) {
    if (isMine(key)) edits[key] = { at: nowMs, base: state.version }
    else {
      values = takeFields(values, theirs, new Set([key]))
      delete edits[key]
    }
  }
  return { version: state.version, values, edits, conflicts: [] }
}
