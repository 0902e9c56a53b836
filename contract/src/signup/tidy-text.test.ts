import { expect, test } from 'vitest'
import { tidyLine, tidyText } from './tidy-text.ts'

test('[S7.47] what nobody sees is left out of a text; what scripts and emoji need stays', () => {
  expect([
    tidyLine('a\u0007b\u202Ec\uFEFF\u200Bd'),
    tidyLine('某医院\r\n\t内科\u001b[31m'),
    tidyLine('𬭎\u200D👨\u200D⚕️ می\u200Cخواهم'),
    tidyText('一行\r\n二行\r三\t行\u0000\n'),
  ]).toEqual(['abcd', '某医院 内科[31m', '𬭎\u200D👨\u200D⚕️ می\u200Cخواهم', '一行\n二行\n三 行\n'])
})
