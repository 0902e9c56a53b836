import { readStored, writeStored } from '#web/kernel/storage.ts'
import type { SignupForm } from '../wire.ts'
import { copyPrefix } from './names.ts'

/** An answer as this device keeps it for a visit without a network. */
export interface Copy {
  readonly data: unknown
  readonly atMs: number
}

const most = 40
const maxChars = 200_000
const maxTotal = 2_000_000

/** Public lists that are long, and what holds answers in full. */
const notKept = /^(posts|postTree|regions|schools|signup|privacy)\b/

/** Id numbers, phones and other sensitive answers never lie in the browser's store: a phone may be shared. */
const formWithoutSensitive = (form: SignupForm): SignupForm => {
  const hidden = new Set(
    form.groups
      .flatMap(group => group.items)
      .filter(item => item.sensitive === 2 || item.fieldType === 'idcard' || item.fieldType === 'phone')
      .map(item => item.itemKey),
  )
  const clean = <T extends object>(content: T): T =>
    Object.fromEntries(Object.entries(content ?? {}).filter(([key]) => !hidden.has(key))) as T
  return {
    ...form,
    prefill: clean(form.prefill),
    // Without a value such an answer is not to be typed all the same.
    verified: Object.fromEntries(Object.entries(form.verified).map(([key, value]) => [key, hidden.has(key) ? '' : value])),
    // The labels show what was chosen in words: for a number that is the number itself.
    signup:
      form.signup === null
        ? null
        : { ...form.signup, content: clean(form.signup.content), contentLabels: clean(form.signup.contentLabels) },
    draft: form.draft === null ? null : { ...form.draft, content: clean(form.draft.content) },
  }
}

/** Links to files are good for minutes; a copy is not the place for them. */
const withoutLinks = (key: string, value: unknown) => (key === 'link' || key === 'avatar' ? null : value)

interface Index {
  readonly [name: string]: { readonly atMs: number; readonly chars: number }
}
const indexName = `${copyPrefix}index`

/** Keeps the newest answers of this person, the oldest go first. */
export const keepCopy = (userId: string, key: string, data: unknown, atMs: number): void => {
  if (notKept.test(key)) return
  const kept = key.startsWith('form') ? formWithoutSensitive(data as SignupForm) : data
  const text = JSON.stringify(kept, withoutLinks)
  if (text === undefined || text.length > maxChars) return
  const name = `${copyPrefix}${userId}-${key}`
  const index: Index = { ...readStored<Index>(indexName), [name]: { atMs, chars: text.length } }
  const newest = Object.entries(index).sort(([, a], [, b]) => b.atMs - a.atMs)
  let total = 0
  const staying = newest.filter(([, { chars }], at) => {
    total += chars
    return at < most && total <= maxTotal
  })
  for (const [old] of newest) if (!staying.some(([one]) => one === old)) writeStored(old, null)
  writeStored(name, { data: JSON.parse(text), atMs } satisfies Copy)
  writeStored(indexName, Object.fromEntries(staying))
}

export const findCopy = (userId: string, key: string): Copy | null => readStored<Copy>(`${copyPrefix}${userId}-${key}`)
