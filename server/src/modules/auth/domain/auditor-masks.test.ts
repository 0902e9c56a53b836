import { expect, test } from 'vitest'
import { marksOf } from '#contract/kernel/field-rule.ts'
import { ruledNouns } from '#contract/registry.ts'
import { auditorMasks, masksFor } from './auditor-masks.ts'

test('[2.2] every field that auditors see in part is declared, and has a mask that shows a part of it', () => {
  const marks = new Map(ruledNouns.flatMap(noun => Object.values(marksOf(noun)).map(mark => [mark.at, mark.mask] as const)))
  for (const at of Object.keys(auditorMasks))
    expect([at, marks.get(at)]).toEqual([at, expect.stringMatching(/^(name|idCard|phone|email|address)$/)])
})

test('[2.2] a copy of a candidate’s name or number is seen in part too; names of colleagues and the last digits of a number as ever', () => {
  expect(Object.keys(auditorMasks)).toEqual(
    expect.arrayContaining([
      'signup.name',
      'ticket.idCard',
      'exampay.name',
      'payorder.name',
      'payrefund.name',
      'payrecord.idCardMask',
      'sendmessage.phoneMask',
    ]),
  )
  expect(Object.keys(auditorMasks).filter(at => /^user\.|handledName|applyName|Tail$/.test(at))).toEqual([])
})

test('[2.2] they are for whoever only audits', () => {
  expect([masksFor(['auditor']), masksFor(['auditor', 'exam_admin']), masksFor(['']), masksFor([])]).toEqual([
    auditorMasks,
    undefined,
    undefined,
    undefined,
  ])
})
