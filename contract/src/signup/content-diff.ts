import type { Content, SignItem } from './content.ts'
import { isEmptyValue } from './empty-value.ts'
import { regionKey } from './region.ts'

/** An element of `advisementList` (domain 3.8). */
export interface Advisement {
  readonly kind: 'item' | 'file' | 'post' | 'other'
  readonly key: string
  readonly label?: string
  readonly advice?: string
}

/** An uploaded file of a sign-up, as far as a comparison needs it. */
export interface SignupFileRef {
  readonly fileKey: string
  readonly fileId: string
}

/** Key under which the signature of the undertaking stands among the files of a sign-up; drawn anew for every submit, it needs no opening. */
export const signatureKey = 'promiseSignature'

/** Equal in meaning: the order of keys does not count, nothing given equals null, '' and []. */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (isEmptyValue(a) && isEmptyValue(b)) return true
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((one, i) => isSameValue(one, b[i]))
  if (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null && !Array.isArray(a) && !Array.isArray(b)) {
    const [left, right] = [a as Content, b as Content]
    return [...new Set([...Object.keys(left), ...Object.keys(right)])].every(key => isSameValue(left[key], right[key]))
  }
  return a === b || ((typeof a === 'number' || typeof b === 'number') && String(a) === String(b))
}

export interface ContentChange {
  readonly key: string
  readonly before: unknown
  readonly after: unknown
}

/** What changed between two versions, in the order of the keys of the older, new keys behind. */
export const diffContent = (before: Content, after: Content): ContentChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter(key => !isSameValue(before[key], after[key]))
    .map(key => ({ key, before: before[key] ?? null, after: after[key] ?? null }))

const idsOf = (files: readonly SignupFileRef[], fileKey: string): string[] =>
  files
    .filter(file => file.fileKey === fileKey)
    .map(file => file.fileId)
    .sort()

/** File keys under which other files stand than before; their order within a key does not count. */
export const diffFiles = (before: readonly SignupFileRef[], after: readonly SignupFileRef[]): string[] =>
  [...new Set([...before, ...after].map(file => file.fileKey))].filter(key => !isSameValue(idsOf(before, key), idsOf(after, key)))

/** Whether the part that a piece of advice is about differs from the version it was given on. */
export const isHeeded = ({ kind, key }: Pick<Advisement, 'kind' | 'key'>, before: VersionParts, after: VersionParts): boolean => {
  if (kind === 'file') return !isSameValue(idsOf(before.files, key), idsOf(after.files, key))
  if (kind === 'post') return before.code !== after.code || (before.code2 ?? '') !== (after.code2 ?? '')
  return !isSameValue(before.content[key], after.content[key])
}

/** What belongs to a field and changes with it. */
const COMPANIONS: Readonly<Record<string, readonly string[]>> = {
  idCard: ['birthday', 'sex', 'idCardType'],
  // They are read out of the number and never typed: only another number mends them.
  birthday: ['idCard'],
  sex: ['idCard'],
  school: ['schoolCode'],
  schoolCode: ['school'],
  major: ['majorCode', 'majorCategory'],
  majorCode: ['major', 'majorCategory'],
}

export interface OpenParts {
  /** The advice names nothing in particular, so everything may change. */
  readonly everything: boolean
  readonly itemKeys: ReadonlySet<string>
  readonly fileKeys: ReadonlySet<string>
  readonly post: boolean
}

/**
 * The parts of a returned sign-up that its owner may change (scenario 9): what the advice names, what belongs to it (id card →
 * birthday and sex), and fields and files that appear or vanish because of it. Advice of kind `other` opens its key, or everything
 * when it names no part.
 */
export function openParts(
  advisements: readonly Advisement[],
  items: readonly Pick<SignItem, 'itemKey' | 'visibleWhen'>[],
  files: readonly { readonly fileKey: string; readonly visibleWhen?: { readonly key: string } | null }[] = [],
): OpenParts {
  const itemKeys = new Set<string>()
  const fileKeys = new Set<string>()
  let everything = false
  const openItem = (key: string) => {
    if (itemKeys.has(key)) return
    itemKeys.add(key)
    for (const companion of COMPANIONS[key] ?? []) openItem(companion)
    for (const item of items) if (item.visibleWhen?.key === key) openItem(item.itemKey)
    for (const file of files) if (file.visibleWhen?.key === key) fileKeys.add(file.fileKey)
  }
  for (const { kind, key } of advisements) {
    if (kind === 'item') openItem(key)
    else if (kind === 'post') openItem(regionKey)
    else if (kind === 'file') fileKeys.add(key)
    else if (kind === 'other') {
      const isItem = items.some(item => item.itemKey === key)
      const isFile = files.some(file => file.fileKey === key)
      if (isItem) openItem(key)
      if (isFile) fileKeys.add(key)
      if (!isItem && !isFile) everything = true
    }
  }
  return { everything, itemKeys, fileKeys, post: everything || advisements.some(advisement => advisement.kind === 'post') }
}

export interface VersionParts {
  /** Answers by item key, with the region of the first step under `regionKey`. */
  readonly content: Content
  readonly files: readonly SignupFileRef[]
  /** Code of the chosen post, and of the second choice. */
  readonly code: string
  readonly code2?: string | null
}

export interface AdvisedChange {
  /** Only open parts changed. */
  readonly ok: boolean
  readonly changedItems: readonly string[]
  readonly changedFiles: readonly string[]
  /** Parts that changed although the advice left them locked: item keys, `file:<fileKey>`, `code`, `code2`. */
  readonly locked: readonly string[]
}

/** Compares a resubmitted sign-up with the version that was returned (scenario 9: exactly the advised parts differ, others stay locked). */
export function onlyAdvisedChanged(parts: OpenParts, before: VersionParts, after: VersionParts): AdvisedChange {
  const changedItems = diffContent(before.content, after.content).map(change => change.key)
  const changedFiles = diffFiles(before.files, after.files)
  const codes = [...(before.code === after.code ? [] : ['code']), ...((before.code2 ?? '') === (after.code2 ?? '') ? [] : ['code2'])]
  const locked = parts.everything
    ? []
    : [
        ...changedItems.filter(key => !parts.itemKeys.has(key)),
        ...changedFiles.filter(key => !parts.fileKeys.has(key)).map(key => `file:${key}`),
        ...(parts.post ? [] : codes),
      ]
  return { ok: locked.length === 0, changedItems, changedFiles, locked }
}
