import { toWireDay } from '#contract/kernel/when.ts'
import { nameKey } from '#contract/person/person-name.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { findPayers, readPayer } from '#modules/pay/index.ts'
import { type RowReader, requiredReason } from '#modules/transfer/index.ts'
import { listStandings, type PersonStanding } from '../data/eligible.repo.ts'
import { listMasked, type MaskedPerson } from '../data/import.repo.ts'
import type { TicketContext } from '../deps.ts'
import { seatBar } from '../domain/seat-bar.ts'

/** Columns that both plans begin with. */
type PersonColumn = 'idCard' | 'name' | 'code'

/** Finds the person of a row: signed up, of that name and post, and entitled to sit. */
export interface PersonFinder {
  /** Everybody whom the file names. */
  readonly signupIds: ReadonlySet<string>
  readonly of: <K extends string>(reader: RowReader<K | PersonColumn>) => PersonStanding | undefined
}

/** Templates hide the middle of a number: with name and post it still says who is meant. */
const isMasked = (idCard: string): boolean => idCard.includes('*')

const readMasked = <K extends string>(
  reader: RowReader<K | PersonColumn>,
  masked: ReadonlyMap<string, readonly MaskedPerson[]>,
): { readonly signupId: string } | undefined => {
  const [idCard, name, code] = [reader.code('idCard'), reader.text('name'), reader.code('code')]
  if (name === '') {
    reader.fail('name', 'required', requiredReason('姓名'))
    return undefined
  }
  const named = (masked.get(idCard) ?? []).filter(one => nameKey(one.name) === nameKey(name))
  const found = named.length > 1 ? named.filter(one => one.code === code) : named
  const [person] = found
  if (found.length === 1 && person) return person
  if (named.length === 0)
    reader.fail('idCard', 'unknown-person', {
      zh: '没有证件号码首尾与姓名都相符的报名，请填写完整证件号码',
      en: 'No sign-up has this name and these digits; write the whole number',
    })
  else
    reader.fail('idCard', 'ambiguous-person', {
      zh: '同名且证件号码首尾相同的不止一人，请填写完整证件号码',
      en: 'Several people have this name and these digits; write the whole number',
    })
  return undefined
}

/** @param idCards as they stand in the file */
export const findPeople = async (
  context: Pick<TicketContext, 'services'>,
  db: TenantDb,
  examId: string,
  idCards: readonly string[],
): Promise<PersonFinder> => {
  const payers = await findPayers(
    context,
    db,
    examId,
    idCards.filter(idCard => !isMasked(idCard)),
  )
  const masks = [...new Set(idCards.filter(isMasked))]
  const masked = masks.length === 0 ? [] : await listMasked(db, examId, masks)
  const byMask = Map.groupBy(masked, one => one.mask)
  const standings = await listStandings(db, [...new Set([...payers.values(), ...masked].map(one => one.signupId))])
  const byId = new Map(standings.map(one => [one.signupId, one]))
  const today = toWireDay(db.now)
  return {
    signupIds: new Set(byId.keys()),
    of: reader => {
      const payer = isMasked(reader.code('idCard')) ? readMasked(reader, byMask) : readPayer(reader, payers, today)
      const standing = payer && byId.get(payer.signupId)
      const code = reader.code('code')
      if (!standing) return undefined
      const bar = seatBar(standing)
      if (bar) reader.fail('idCard', 'not-eligible', { zh: `不能参加考试：${bar.text.zh}`, en: `May not sit: ${bar.text.en}` })
      if (code !== '' && code !== standing.code)
        reader.fail('code', 'post-mismatch', {
          zh: `岗位代码与报名不一致: 应为 ${standing.code}`,
          en: `The sign-up is for post ${standing.code}`,
        })
      return standing
    },
  }
}

/** A text that has to be there, of at most `max` characters. */
export const needText = <K extends string>(reader: RowReader<K>, key: K, name: string, max: number): string => {
  const text = optionalText(reader, key, name, max)
  if (text === '' && !reader.failed(key)) reader.fail(key, 'required', requiredReason(name))
  return text
}
export const optionalText = <K extends string>(reader: RowReader<K>, key: K, name: string, max: number): string => {
  const text = reader.text(key)
  if ([...text].length > max) reader.fail(key, 'too-long', { zh: `${name}超过 ${max} 个字`, en: `Longer than ${max} characters` })
  return text
}

/** A whole number within bounds; undefined where the cell is empty or wrong, which the reader has kept. */
export const wholeNumber = <K extends string>(
  reader: RowReader<K>,
  key: K,
  name: string,
  bounds: { readonly min: number; readonly max: number; readonly required: boolean },
): number | undefined => {
  const text = reader.code(key)
  if (text === '') {
    if (bounds.required && !reader.failed(key)) reader.fail(key, 'required', requiredReason(name))
    return undefined
  }
  const value = /^-?\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  if (value >= bounds.min && value <= bounds.max) return value
  reader.fail(key, 'number', {
    zh: `${name}须为 ${bounds.min}–${bounds.max} 的整数`,
    en: `A whole number from ${bounds.min} to ${bounds.max}`,
  })
  return undefined
}
