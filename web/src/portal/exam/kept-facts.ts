import type { Facts } from '#contract/signup/fit.ts'
import { api } from '#web/kernel/api.ts'
import { readStored, writeStored } from '#web/kernel/storage.ts'

/** What the public pages keep (server `exam/open/look.ts`); older answers may be those of somebody else who used this device. */
type Kept = Readonly<Record<string, unknown>> & { readonly at?: number }
const name = 'facts'
const oldestMs = 24 * 3_600_000

const day = (value: unknown): string | undefined => (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : undefined)
const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 60) : undefined
const digits = (value: unknown, form: RegExp): string | undefined => (typeof value === 'string' && form.test(value) ? value : undefined)
const yesNo = (value: unknown): '0' | '1' | undefined => (value === '1' || value === '0' ? value : undefined)

/** What the account may keep of it: what cannot be read is left out. */
export const factsOf = (kept: Kept): Facts => {
  const certs = Array.isArray(kept.certName) ? kept.certName.filter(one => typeof one === 'string').slice(0, 20) : []
  const facts = {
    birthday: day(kept.birthday),
    sex: kept.sex === '1' || kept.sex === '2' ? kept.sex : undefined,
    education: text(kept.education),
    degree: text(kept.degree),
    major: text(kept.major),
    graduateDate: day(kept.graduateDate),
    employed: day(kept.graduateDate) && yesNo(kept.employed),
    residency: kept.residency === '1' ? '1' : undefined,
    insured: kept.insured === '1' ? '1' : undefined,
    political: text(kept.political),
    hukouAddress: digits(kept.hukouAddress, /^\d{6}$/),
    title: text(kept.title),
    workYears: digits(kept.workYears, /^\d{1,2}$/),
    certName: certs.length > 0 || kept.certNone === '1' ? certs : undefined,
  }
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
}

/** Answers that were given before the log-in become the account's, once. */
export const takeKeptFacts = async (nowMs: number): Promise<void> => {
  const kept = readStored<Kept>(name)
  if (kept === null) return
  const facts = factsOf(kept)
  if (typeof kept.at === 'number' && nowMs - kept.at < oldestMs && Object.keys(facts).length > 0)
    await api.call('POST /me/facts', facts as Parameters<typeof api.call<'POST /me/facts'>>[1], { quiet: true })
  writeStored(name, null)
}
