import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { foldGroups, foldWidth } from './fold-width.ts'
import { tidyAs, tidyField } from './tidy-field.ts'
import { holdsUnseen, tidyLine, tidyTable, tidyText } from './tidy-text.ts'

describe('[21.3] one stripping of what cannot be seen', () => {
  it.each([
    ['marks of direction', '\u202E区卫\u200E生\u2066局\u2069\u061C', '区卫生局'],
    ['zero width', '区\u200B卫\u2060生\uFEFF局', '区卫生局'],
    ['a soft hyphen', '卫\u00AD生\u00AD', '卫生'],
    ['a joiner before a selector that selects nothing', 'क\u200C\u180B', 'क'],
    ['joiners that join nothing', '张\u200D伟\u200C a\u200Db', '张伟 ab'],
    ['selectors that select nothing', '内\uFE0F科\uFE01\uFE08 A\u{E0100}', '内科\uFE01 A'],
    ['fillers that look blank', '内\u3164\u115F科\u2800\uFFA0', '内科'],
    ['tags outside of a flag', '内\u{E0041}科', '内科'],
    ['control characters', '内\u0007科\u001B[31m\u007F\u009F', '内科[31m'],
    ['spaces around it', ' \u00A0\u3000\t内科\u2003\u3000\r\n', '内科'],
    ['spaces that look like the usual one', 'a\u00A0b\u2009c\u202Fd', 'a b c d'],
    ['tabs and breaks', '内\t科\r\n一\u2028室\u0085a\vb', '内 科 一 室 a b'],
    ['characters in parts', 'e\u0301', 'é'],
    ['nothing but that', '\u200B \u3000\uFEFF', ''],
  ])('leaves out %s', (_, typed, meant) => expect(tidyLine(typed)).toBe(meant))

  it.each([
    ['emoji of several parts', '👨‍⚕️ 👩🏽‍🔬 ❤️ 🏳️‍🌈 1️⃣'],
    ['the flag of a region', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
    ['joiners of scripts that join', 'می‌خواهم क्‍ष'],
    ['the shape of an ideograph', '葛\u{E0100}城 神\uFE00'],
    ['ideographs beyond the first plane', '𬭎𠮷𪚥'],
    ['the ideographic space between words', '关于　招聘'],
    ['spaces between words', 'John  Smith'],
  ])('keeps %s', (_, typed) => expect(tidyLine(typed)).toBe(typed.normalize('NFC')))

  it('keeps the breaks of a text of several lines, and the tabs of cells', () => {
    expect([tidyText('\u200B一行\r\n二\u00AD行\r三\t行\u2029\u0000四\n'), tidyTable('01\t内\u200B科\r\n02\t外科\n')]).toEqual([
      '一行\n二行\n三 行\n四',
      '01\t内科\n02\t外科',
    ])
  })

  it('changes nothing the second time, never breaks a pair, and leaves nothing unseen around a text', () => {
    const parts = fc.constantFrom(
      ...Array.from(
        'a1·张𬭎👨⚕🏽🏴一#\u0301\u200B\u200C\u200D\uFE0F\uFE0E\uFE00\u{E0100}\u{E0067}\u{E007F}\u180B\u1820\u202E \u3000\t\n\u00ADيक\u094D\u2800',
      ),
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(parts, fc.string({ unit: 'binary', maxLength: 2 })), { maxLength: 12 }), chars => {
        const typed = chars.join('')
        for (const tidy of [tidyLine, tidyText, tidyTable, foldWidth, foldGroups]) {
          const once = tidy(typed)
          expect(tidy(once)).toBe(once)
          if (typed.isWellFormed()) expect(once.isWellFormed()).toBe(true)
          expect(once.trim()).toBe(once)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('knows passwords that could not be typed again', () => {
    expect(['correct horse', ' 密码 Ｂａｔｔｅｒｙ ', '👨‍⚕️é'].map(holdsUnseen)).toEqual([false, false, false])
    expect(['a\nb', 'a\u0000', 'a\u200Bb', 'a\u202E'].map(holdsUnseen)).toEqual([true, true, true, true])
  })
})

test('[21.3] codes and numbers are half width, their printed groups are one', () => {
  expect([foldWidth('　Ａ－００１\u200B'), foldWidth('ｚｈａｎｇ＠ｅｘａｍｐｌｅ．ｃｏｍ'), foldGroups('８１０１ – 0101-0001')]).toEqual([
    'A-001',
    'zhang@example.com',
    '810101010001',
  ])
})

test('[21.3] what a field is decides how its text is meant', () => {
  expect([
    tidyAs({ name: 'password', max: 200 }, ' Ａb\u00A0 '),
    tidyAs({ name: 'newPassword1', max: 200 }, ' x'),
    tidyAs({ name: 'reason', max: 200 }, '一\r\n二'),
    tidyAs({ name: 'examName', max: 100 }, '一\r\n二'),
    tidyAs({ name: 'lines', max: 70_000, lines: 'table' }, '01\t内科'),
    tidyAs({ name: 'examCode', max: 20 }, 'ＫＳ２０２６'),
    tidyAs({ name: 'examName', max: 100 }, '２０２６年招聘（一）'),
    tidyAs({ name: 'day', pattern: '^\\d{4}-\\d{2}-\\d{2}$' }, '２０２６－１１－２５'),
    tidyAs({ name: 'title', pattern: '^[^<>]+$' }, 'Ａ级'),
    tidyField('remark', { kind: 'text', label: { zh: '', en: '' }, required: false, widget: 'textarea', max: 255 }, '一\n二 '),
    tidyField('remark', { kind: 'text', label: { zh: '', en: '' }, required: false, max: 255 }, '一\n二 '),
    tidyField('score', { kind: 'decimal', label: { zh: '', en: '' }, required: false }, '８５．５'),
  ]).toEqual([
    ' Ａb\u00A0 ',
    ' x',
    '一\n二',
    '一 二',
    '01\t内科',
    'KS2026',
    '２０２６年招聘（一）',
    '2026-11-25',
    'Ａ级',
    '一\n二',
    '一 二',
    '85.5',
  ])
})
