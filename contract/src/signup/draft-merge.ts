import type { Content } from './content.ts'
import { isSameValue, type OpenParts, type SignupFileRef } from './content-diff.ts'
import { regionKey } from './region.ts'

// One form on several devices: each part of it changes on its own, so that what one device has changed never undoes what another one has.

/** A form as it is kept: in the sign-up, in the draft beside it, or in a browser. */
export interface DraftForm {
  readonly content: Content
  readonly files: readonly SignupFileRef[]
  readonly code: string | null
  readonly code2: string | null
  /** GB/T 2260 code of the first step's region; undefined where the first step asks for none. */
  readonly region: string | undefined
}

/** Parts of a form by key: item keys, `file:<fileKey>` with ids, both choices, the region. No field of a form can be called like the others. */
export type Parts = Readonly<Record<string, unknown>>
export const postPart = 'signup.post'
export const post2Part = 'signup.post2'
const fileStart = 'file:'

export const partsOf = ({ content, files, code, code2, region }: DraftForm): Parts => {
  const ids: Record<string, string[]> = {}
  for (const { fileKey, fileId } of files) ids[fileStart + fileKey] = [...(ids[fileStart + fileKey] ?? []), fileId].sort()
  return { ...content, ...ids, [postPart]: code ?? '', [post2Part]: code2 ?? '', ...(region === undefined ? {} : { [regionKey]: region }) }
}

/** The form again, in the shape a save sends. */
export const formOfParts = (parts: Parts) => {
  const content: Record<string, unknown> = {}
  const fileIds: Record<string, string[]> = {}
  for (const [key, value] of Object.entries(parts)) {
    if (key.startsWith(fileStart)) fileIds[key.slice(fileStart.length)] = value as string[]
    else if (key !== postPart && key !== post2Part && key !== regionKey) content[key] = value
  }
  return { content, fileIds, code: String(parts[postPart] ?? ''), code2: String(parts[post2Part] ?? ''), region: parts[regionKey] }
}

/** What is filled in by another field and changes with it. */
const leaders: Readonly<Record<string, string>> = { schoolCode: 'school', majorCode: 'major', birthday: 'idCard', sex: 'idCard' }
const leaderIn =
  (...forms: readonly Parts[]) =>
  (key: string): string => {
    const leader = Object.hasOwn(leaders, key) ? leaders[key] : key.endsWith('Code') ? key.slice(0, -'Code'.length) : undefined
    return leader !== undefined && forms.some(form => Object.hasOwn(form, leader)) ? leader : key
  }

/** The fields whose parts differ, each once: what another field fills in counts as that field. */
export const changedParts = (before: Parts, after: Parts): string[] => {
  const leaderOf = leaderIn(before, after)
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return [...new Set(keys.filter(key => !isSameValue(before[key], after[key])).map(leaderOf))]
}

/** Takes the named fields, with what they fill in, from one form into another. */
export const takeParts = (into: Parts, from: Parts, fields: ReadonlySet<string>): Parts => {
  const leaderOf = leaderIn(into, from)
  const taken = (parts: Parts, isTaken: boolean) => Object.entries(parts).filter(([key]) => fields.has(leaderOf(key)) === isTaken)
  return Object.fromEntries([...taken(into, false), ...taken(from, true)])
}

/** Whether a returned sign-up leaves a field open; null: everything is. */
export const isPartOpen = (open: OpenParts | null, field: string): boolean => {
  if (open === null || open.everything) return true
  if (field === postPart || field === post2Part) return open.post
  return field.startsWith(fileStart) ? open.fileKeys.has(field.slice(fileStart.length)) : open.itemKeys.has(field)
}

/** The save that last changed a field, and when, in ms since 1970; `sentAt` is the device's own time of it where that was ahead of the server's. */
export type DraftMark = readonly [v: number, atMs: number, sentAt?: number]

/** How far a kept form has come: `v` counts its saves, `keys` tells by field the save that last changed it. */
export interface DraftMarks {
  readonly v: number
  readonly keys: Readonly<Record<string, DraftMark>>
}
export const noMarks: DraftMarks = { v: 0, keys: {} }

/** Marks after these fields have changed. A device whose clock is ahead changes nothing in the future. */
export const markChanged = (
  { v, keys }: DraftMarks,
  fields: readonly string[],
  nowMs: number,
  atOf?: (field: string) => number,
): DraftMarks => {
  const markOf = (field: string): DraftMark => {
    const at = atOf?.(field) ?? nowMs
    return at > nowMs ? [v + 1, nowMs, at] : [v + 1, at]
  }
  return fields.length === 0
    ? { v, keys }
    : { v: v + 1, keys: { ...keys, ...Object.fromEntries(fields.map(field => [field, markOf(field)])) } }
}

/** One field as a device has changed it. */
export interface Edit {
  /** When, by the device; ms since 1970. 0: never by hand, so that whatever another device has stands. */
  readonly at: number
  /** The save the device knew when it changed the field. */
  readonly base: number
  /** Each `at` under which the field was sent before without its being heard what became of it. */
  readonly was?: number[]
}
/** So many of them are told: whoever types for hours without a network has sent nothing before. */
export const maxUnheard = 50
export type Edits = Readonly<Record<string, Edit>>

export interface MergedDraft {
  readonly parts: Parts
  readonly marks: DraftMarks
  /** Fields that another device has changed since the base of the edit, to another value: they stay as they are until the candidate chooses. */
  readonly conflicts: readonly { readonly key: string; readonly at: number }[]
}

/**
 * Merges what a device sends into what is kept, field by field.
 * @param edits - the fields the device has changed; undefined from a client that knows nothing of them and means the whole form
 * @param mayChange - fields that are locked stay as they are
 */
export const mergeDraft = (
  kept: { readonly parts: Parts; readonly marks: DraftMarks },
  sent: { readonly parts: Parts; readonly edits: Edits | undefined },
  nowMs: number,
  mayChange: (field: string) => boolean = () => true,
): MergedDraft => {
  const { edits } = sent
  const editOf = (field: string): Edit | undefined => (edits && Object.hasOwn(edits, field) ? edits[field] : undefined)
  const differing = changedParts(kept.parts, sent.parts).filter(mayChange)
  const meant = edits === undefined ? differing : differing.filter(field => editOf(field) !== undefined)
  const markOf = (field: string) => (Object.hasOwn(kept.marks.keys, field) ? kept.marks.keys[field] : undefined)
  const isOverlaid = (field: string): boolean => {
    const [mark, edit] = [markOf(field), editOf(field)]
    if (mark === undefined || edit === undefined || mark[0] <= edit.base) return false
    // A save whose answer was lost is the device's own, not another one's.
    return !edit.was?.includes(mark[2] ?? mark[1])
  }
  const taken = meant.filter(field => !isOverlaid(field))
  return {
    parts: takeParts(kept.parts, sent.parts, new Set(taken)),
    marks: markChanged(kept.marks, taken, nowMs, field => editOf(field)?.at ?? nowMs),
    conflicts: meant.filter(field => isOverlaid(field) && editOf(field)?.at !== 0).map(key => ({ key, at: markOf(key)?.[1] ?? nowMs })),
  }
}

/** A file of a form that is confirmed: `id:` and the id of one that has arrived, or `sha:` and the SHA-256 of the bytes that are still on their way. */
export type FileToken = `id:${string}` | `sha:${string}`

/** How long after the end of a window files may follow that were confirmed before it (domain 12.2.3). */
export const lateFilesMs = 600_000

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  )
}

/** What the digest of a confirmed form is made of: the same text wherever it is written, in whichever order the answers stand. */
export const intentText = (form: {
  readonly examId: string
  readonly code?: string | undefined
  readonly code2?: string | undefined
  readonly province?: string | undefined
  readonly city?: string | undefined
  readonly area?: string | undefined
  readonly content?: Readonly<Record<string, unknown>> | undefined
  readonly files: Readonly<Record<string, readonly string[]>>
}): string => {
  const { examId, code = '', code2 = '', province = '', city = '', area = '', content = {}, files } = form
  return JSON.stringify(sorted({ examId, code, code2, province, city, area, content, files }))
}
