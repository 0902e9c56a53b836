import { describe, expect, test } from 'vitest'
import { checkPassword, passwordPolicyOf } from '#contract/auth/password-policy.ts'
import { maskIdCard, maskName, maskPhone } from '#contract/kernel/mask.ts'
import { isRichLink } from '#contract/kernel/rich-text.ts'
import { fromWireTime, toWireTime } from '#contract/kernel/when.ts'
import { formatFen, parseYuan } from '#contract/pay/fee.ts'
import { isOrderNo, isRefundNo } from '#contract/pay/order-no.ts'
import { checkIdCard, idCardCheckDigit } from '#contract/person/id-card.ts'
import { checkMobile } from '#contract/person/mobile.ts'
import { checkName, foldName } from '#contract/person/person-name.ts'
import { parseCsv } from '#kernel/csv.ts'
import { cleanRichText } from '#kernel/rich-text.ts'
import { fuzzTimeoutMs, isLongFuzz, type Random, runTrials } from '../support/trials.ts'

const odd = [
  ...'0123456789Xx.,-+eE年月日 \t\n"\'<>&;:/\\%{}[]()=|`~@#$^*?!_·・．０１９Ｘ　\u0000\u202e\u200b\u{20bb7}\u{1f600}\ud800张王欧阳',
]
const pieces = [
  '330106',
  '19990230',
  '20240229',
  '13800138000',
  '100.00',
  '1e9',
  '<script>',
  '</p>',
  'javascript:',
  '2026-02-30 25:61:61',
  'E2611',
]
/** Texts as people and attackers type them: digits, folded digits, marks, halves of characters, pieces of what is expected. */
const textOf = (random: Random): string => {
  const length = random.oneIn(50) ? random.int(3_000) : random.int(24)
  let text = ''
  while (text.length < length) text += random.oneIn(6) ? random.pick(pieces) : random.pick(odd)
  return text
}
/** A right value with one character changed, added or left out. */
const nearly = (random: Random, right: string): string => {
  const at = random.int(right.length + 1)
  return right.slice(0, at) + (random.oneIn(3) ? '' : random.pick(odd)) + right.slice(at + random.int(2))
}
const idCard = (random: Random): string => {
  const first = `33010619${String(50 + random.int(50))}0${1 + random.int(9)}${String(10 + random.int(19))}${String(100 + random.int(900))}`
  return first + idCardCheckDigit(first)
}
const today = '2026-03-17'

/** What must hold for each text; a throw is caught and told by the caller. */
const properties: Readonly<Record<string, (random: Random) => boolean>> = {
  'id card': random => {
    const text = random.oneIn(2) ? nearly(random, idCard(random)) : textOf(random)
    const facts = checkIdCard(text, today)
    return !facts.ok || (maskIdCard(text) !== text && /^\d{4}-\d{2}-\d{2}$/.test(facts.birthday) && facts.birthday <= today)
  },
  mobile: random => {
    const text = random.oneIn(2) ? nearly(random, '13800138000') : textOf(random)
    checkMobile(text)
    return maskPhone(text) !== '13800138000'
  },
  name: random => {
    const text = textOf(random)
    checkName(text)
    maskName(text)
    return foldName(foldName(text)) === foldName(text)
  },
  password: random => {
    const facts = { password: textOf(random), ownWords: [textOf(random), '13800138000', undefined], isCommon: () => random.oneIn(2) }
    return Array.isArray(checkPassword(facts, passwordPolicyOf(random.oneIn(2) ? 'staff' : 'candidate')))
  },
  money: random => {
    const text = random.oneIn(2) ? nearly(random, '1234.56') : textOf(random)
    const read = parseYuan(text)
    if (!read.ok) return true
    const again = parseYuan(formatFen(read.amountFen))
    return Number.isSafeInteger(read.amountFen) && read.amountFen > 0 && again.ok && again.amountFen === read.amountFen
  },
  time: random => {
    const text = random.oneIn(2) ? nearly(random, '2026-02-28 23:59:59') : textOf(random)
    const read = fromWireTime(text)
    return read === undefined || toWireTime(read) === text || toWireTime(read).startsWith(text.slice(0, 10))
  },
  'order number': random => {
    const text = random.oneIn(2) ? nearly(random, 'E26031710000003ABCDEFGHIJ') : textOf(random)
    return !(isOrderNo(text) && isRefundNo(text))
  },
  csv: random => parseCsv(textOf(random)).every(row => Array.isArray(row)),
  'address of a link': random => {
    const text = random.oneIn(2)
      ? nearly(random, random.pick(['javascript:alert(1)', 'https://a.example', '/path', '//evil.example']))
      : textOf(random)
    return !isRichLink(text) || !/^\s*(javascript|data|vbscript):|^[/\\]{2}/i.test(text)
  },
  'rich text': random => {
    const clean = cleanRichText(
      textOf(random) + random.pick(['', '<a href="javascript:x">', '<p onclick=x>', '<svg/onload=x>', '<!--']) + textOf(random),
    )
    return cleanRichText(clean) === clean && !/<(script|style|svg|iframe|img)|\son\w+\s*=[^<]*>|href="\s*(javascript|data):/i.test(clean)
  },
}

describe('V28: readers of what people type', () => {
  test.each(Object.entries(properties))(
    '%s: every text is read or refused, none breaks the reader',
    async (name, holds) => {
      expect(
        await runTrials(`V28 ${name}`, { quick: 2_000, long: 1_000_000 }, random => {
          try {
            return holds(random) ? undefined : 'the property does not hold'
          } catch (error) {
            return String(error)
          }
        }),
      ).toEqual([])
    },
    fuzzTimeoutMs,
  )

  test.each([
    ['id card', (text: string) => checkIdCard(text, today)],
    ['mobile', (text: string) => checkMobile(text)],
    ['name', (text: string) => checkName(text)],
    ['money', (text: string) => parseYuan(text)],
    ['time', (text: string) => fromWireTime(text)],
    ['csv', (text: string) => parseCsv(text)],
    ['rich text', (text: string) => cleanRichText(text)],
  ] as const)('%s: a text of a hundred thousand characters is no way to stop the server', (name, read) => {
    for (const unit of ['0', ' ', '·', '<', '"', '<a href="', 'a,', '<p>', '&', '．'])
      for (const text of [unit.repeat(100_000 / unit.length), `1${unit.repeat(100_000 / unit.length)}x`]) {
        const began = performance.now()
        read(text)
        // The figure is for people who look; a quadratic reader runs into the time limit of the test by itself.
        if (isLongFuzz) console.log(`V28 ${name} ${JSON.stringify(unit)}: ${(performance.now() - began).toFixed(1)} ms`)
      }
  })
})
