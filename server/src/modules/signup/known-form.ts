import type { Label } from '#contract/kernel/label.ts'
import type { SignItem } from '#contract/signup/content.ts'
import { dictCodesOf } from '#contract/signup/dict-codes.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { createFigureCache, type FigureCache } from '#kernel/figure-cache.ts'
import { findFormStamp, listSignFiles, listSignItems, type SignFileRow, type SignItemRow } from '#modules/exam/index.ts'
import { type Entry, findDictionaries, findEntries, longestKey } from './data/answer.repo.ts'

/** A form as a process has read it; right for as long as its stamp stands (ADR 0092). */
export interface KnownForm {
  readonly stamp: string
  readonly itemRows: readonly SignItemRow[]
  readonly signFiles: readonly SignFileRow[]
  /** The same in the shape the shared rules read. */
  readonly items: readonly SignItem[]
  readonly files: readonly (Omit<SignFileRow, 'required'> & { readonly required: boolean })[]
  /** Labels of dictionary entries by code and key: of some dictionaries all, of the others those that were asked for. */
  readonly entries: ReadonlyMap<string, ReadonlyMap<string, Label>>
}
type Entries = Map<string, Map<string, Label>>

/** Forms by tenant and examination. */
export type KnownForms = FigureCache<KnownForm>
const keptForms = 200
const keepMs = 3_600_000
export const createKnownForms = (): KnownForms => createFigureCache(keptForms)

/** Dictionaries that conditions name entries of which nobody gave; they are short. */
const namedByConditions = ['education', 'degree', 'political', 'sex', 'fresh', 'cert'] as const
/** Of a dictionary of regions a form learns those that people come from. */
const mostEntries = 5_000

const sizeOf = ({ entries }: KnownForm): number => [...entries.values()].reduce((sum, dictionary) => sum + dictionary.size, 0)

const note = (entries: Entries, found: readonly Entry[]): void => {
  for (const { code, key, zh, en } of found) {
    const dictionary = entries.get(code) ?? new Map<string, Label>()
    dictionary.set(key, { zh, en })
    entries.set(code, dictionary)
  }
}

/** Every text in an answer that may be the key of an entry. */
const possibleKeys = (value: unknown): string[] => {
  if (typeof value === 'string') return value.length <= longestKey ? [value.trim()] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(possibleKeys) : []
}

/** Knows the entries these answers choose as well; asks for those it has not met yet. */
const withEntries = async (db: TenantDb, form: KnownForm, answers: Readonly<Record<string, unknown>>): Promise<KnownForm> => {
  const wanted = form.itemRows.flatMap(item => {
    const codes = dictCodesOf(item)
    const keys = codes.length === 0 ? [] : possibleKeys(answers[item.itemKey])
    return codes.flatMap(code => keys.flatMap(key => (form.entries.get(code)?.has(key) ? [] : [[code, key] as const])))
  })
  if (wanted.length === 0) return form
  const found = await findEntries(db, wanted)
  const entries: Entries = new Map([...form.entries].map(([code, dictionary]) => [code, new Map(dictionary)]))
  note(entries, found)
  return { ...form, entries }
}

const readKnown = async (db: TenantDb, examId: string): Promise<KnownForm> => {
  const [stamp, itemRows, signFiles, found] = await Promise.all([
    findFormStamp(db),
    listSignItems(db, examId),
    listSignFiles(db, examId),
    findDictionaries(db, namedByConditions),
  ])
  const entries: Entries = new Map()
  note(entries, found)
  return {
    ...{ stamp, itemRows, signFiles, entries },
    items: itemRows.map(row => ({ ...row, required: row.required === 1, min: row.minValue, max: row.maxValue })),
    files: signFiles.map(row => ({ ...row, required: row.required === 1 })),
  }
}

/**
 * The form of an examination with the entries that these answers choose: what the process knows, where its stamp still stands. It is looked
 * at in the batch of the caller; a form that is not known, or has changed since, costs one or two batches more.
 */
export const knownForm = async (
  forms: KnownForms,
  db: TenantDb,
  examId: string,
  answers: Readonly<Record<string, unknown>>,
): Promise<KnownForm> => {
  const place = `${db.actor.tenantId} ${examId}`
  const kept = forms.get(place, db.now.getTime())
  // The stamp is asked for first: what is read behind it is no older than it says.
  const [stamp, known] = await Promise.all([kept && findFormStamp(db), kept && withEntries(db, kept, answers)])
  const form = known && stamp === known.stamp ? known : await withEntries(db, await readKnown(db, examId), answers)
  if (form !== kept && sizeOf(form) <= mostEntries) forms.put(place, form, db.now.getTime(), keepMs)
  return form
}
