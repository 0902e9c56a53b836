import type { Label } from '#contract/kernel/label.ts'
import { toWireDay } from '#contract/kernel/when.ts'
import { parseYuan, type YuanProblem } from '#contract/pay/fee.ts'
import { checkDocument, isPassportNumber } from '#contract/person/id-card.ts'
import { documentKeysOf } from '#contract/person/passport.ts'
import { nameKey } from '#contract/person/person-name.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { isScientific, type RowReader, requiredReason } from '#modules/transfer/index.ts'
import { listPassportCountries, listPayers, listPayersBySignNo, type Payer } from '../data/import.repo.ts'
import type { PayKit } from '../deps.ts'

/** Columns that both money templates begin with. */
export type PersonColumn = 'idCard' | 'name'

/**
 * The people of a file by id number as it is written in the file; those are compared by their keyed hash only. Finance sees no more than four
 * digits of one, so the number of the sign-up may stand in its place.
 */
export const findPayers = async (
  kit: Pick<PayKit, 'services'>,
  db: TenantDb,
  examId: string,
  idCards: readonly string[],
): Promise<ReadonlyMap<string, Payer>> => {
  const today = toWireDay(db.now)
  const indexesOf = new Map<string, readonly string[]>()
  // A file says no country of a passport: those that people signed up with are few.
  const countries = await listPassportCountries(db, examId)
  for (const idCard of new Set(idCards)) {
    const keys = documentKeysOf(idCard, today, countries)
    indexesOf.set(
      idCard,
      keys.map(key => kit.services.cipher.blindIndex(db.actor.tenantId, 'id-card', key)),
    )
  }
  const rows = await listPayers(db, examId, [...new Set([...indexesOf.values()].flat())])
  const byIndex = new Map(rows.map(({ index, ...payer }) => [index, payer]))
  const bySignNo = await listPayersBySignNo(db, examId, [...indexesOf.keys()])
  return new Map([
    ...[...indexesOf].flatMap(([idCard, indexes]) => {
      const found = indexes.flatMap(index => byIndex.get(index) ?? [])
      // The same number of two countries says nothing about who paid.
      const [payer] = found
      return payer === undefined || found.length > 1 ? [] : [[idCard, payer] as const]
    }),
    ...bySignNo.map(({ signNo, ...payer }) => [signNo, payer] as const),
  ])
}

/** The person of a row: the id number has to be one, its owner has signed up, the name is theirs. */
export const readPayer = <K extends string>(
  reader: RowReader<K | PersonColumn>,
  payers: ReadonlyMap<string, Payer>,
  today: string,
): Payer | undefined => {
  const idCard = reader.code('idCard')
  const name = reader.text('name')
  if (name === '') reader.fail('name', 'required', requiredReason('姓名'))
  if (idCard === '') {
    reader.fail('idCard', 'required', requiredReason('证件号码'))
    return undefined
  }
  if (isScientific(idCard)) {
    reader.fail('idCard', 'scientific', {
      zh: '证件号码已变成科学计数，请设为文本格式后重新填写',
      en: 'Format the id number as text and type it again: digits were lost',
    })
    return undefined
  }
  const payer = payers.get(idCard)
  if (!payer && !checkDocument(idCard, today).ok && !isPassportNumber(idCard)) {
    reader.fail('idCard', 'id-card', {
      zh: '证件号码不正确，请核对 18 位号码；也可填报名序号',
      en: 'This is no id number; check its 18 characters. The sign-up number will do as well',
    })
    return undefined
  }
  if (!payer) {
    reader.fail('idCard', 'unknown-person', { zh: '此人没有报名本次考试', en: 'This person has not signed up for the examination' })
    return undefined
  }
  if (name !== '' && nameKey(name) !== nameKey(payer.name))
    reader.fail('name', 'name-mismatch', {
      zh: `姓名与报名不一致: 应为 ${payer.name}`,
      en: `The name differs from the sign-up: ${payer.name}`,
    })
  return payer
}

const yuanReasons: Readonly<Record<YuanProblem, Label>> = {
  empty: { zh: '必填项为空: 金额', en: 'Required but empty: amount' },
  notAnAmount: { zh: '金额不是数字，请填 100 或 100.00', en: 'This is no amount; write 100 or 100.00' },
  negative: { zh: '金额不能为负', en: 'An amount cannot be negative' },
  tooManyDecimals: { zh: '金额超过两位小数', en: 'The amount has more than two decimals' },
  tooLarge: { zh: '金额过大', en: 'The amount is too large' },
  zero: { zh: '金额须大于 0', en: 'The amount must be more than 0' },
}
/** Yuan of a cell as fen. */
export const readAmount = <K extends string>(reader: RowReader<K | 'amount'>): number | undefined => {
  const parsed = parseYuan(reader.code('amount'))
  if (parsed.ok) return parsed.amountFen
  reader.fail('amount', `amount-${parsed.problem}`, yuanReasons[parsed.problem])
  return undefined
}

/** An optional text of at most `max` characters. */
export const readShort = <K extends string>(reader: RowReader<K>, key: K, name: string, max: number): string => {
  const text = reader.text(key)
  if ([...text].length > max) reader.fail(key, 'too-long', { zh: `${name}超过 ${max} 个字`, en: `Longer than ${max} characters` })
  return text
}
