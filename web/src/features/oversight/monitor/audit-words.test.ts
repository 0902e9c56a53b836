import { expect, test } from 'vitest'
import { entityWords } from '#contract/log/audit-words.ts'
import { fieldLabel, valueWords } from './audit-fields.ts'

test('what a line is about has a word, however its rows are called', () => {
  const names = ['stored_file', 'watch_alert', 'export_job', 'sign-item', 'verified_change', 'account', 'log_api', 'exam-item', 'param']
  expect(names.map(name => entityWords(name)?.zh)).toEqual([
    '文件',
    '异常告警',
    '导出文件',
    '考试报名项',
    '信息变更申请',
    '账号',
    '日志',
    '考试项目',
    '参数',
  ])
  expect([entityWords('constructor'), entityWords('a_table')]).toEqual([null, null])
})

test('parts of a record are named by their noun, by what all say, or stand as they are', () => {
  const declared = { postName: { label: { zh: '职务名称', en: 'Name' } } }
  const names = ['postName', 'amountFen', 'remark', 'toString', 'unheardOf']
  expect(names.map(name => fieldLabel('post', declared, name)?.en ?? name)).toEqual(['Name', 'Amount', 'Remark', 'toString', 'unheardOf'])
  expect([fieldLabel('signup', {}, 'code')?.en, fieldLabel('region', {}, 'code')?.en]).toEqual(['Post code', 'Code'])
})

test('states are told by their words, whether they were kept by name or by number; what somebody typed is not', () => {
  expect([
    valueWords('exampay', 'state', 'overdue')?.zh,
    valueWords('payorder', 'dueState', 'paid')?.zh,
    valueWords('signup', 'examine', 'second')?.en,
    valueWords('account', 'status', 1)?.en,
    valueWords('examination', 'state', 1)?.zh,
    valueWords('alert', 'measure', 'reads')?.en,
  ]).toEqual(['逾期未缴', '已缴', 'Waiting for second review', 'Normal', '已发布', 'Reads of personal detail'])
  expect([valueWords('param', 'paramValue', '1'), valueWords('exampay', 'state', 'toString')]).toEqual([null, null])
})
