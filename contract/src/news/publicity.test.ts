import { expect, test } from 'vitest'
import { publicityNotice } from './publicity.ts'

const person = {
  unitName: '区人民医院',
  code: 'A01',
  codeName: '护士',
  name: '欧阳<娜>',
  ticketNo: '260301012173',
  written: '81.50',
  interview: '',
  total: '81.50',
  rank: '1',
}

const facts = {
  examName: '2026 招聘',
  list: 1,
  office: '区卫健局',
  department: '人事科',
  contactPhone: '0571-1',
  days: 5,
  from: '2026-03-17',
  until: '2026-03-23',
} as const

test('a list says the name in full and the ticket number without its middle, its period, who hears objections and who publishes it', () => {
  expect(publicityNotice({ ...facts, people: [person] })).toEqual({
    title: '2026 招聘入围人员名单公示',
    content:
      '<p>根据招聘公告和考试成绩，现将2026 招聘入围人员名单予以公示，共 1 人。公示期：2026年3月17日至2026年3月23日（5 个工作日）。</p>' +
      '<table><thead><tr><th>序号</th><th>招聘单位</th><th>岗位代码</th><th>岗位名称</th><th>姓名</th><th>准考证号</th><th>笔试成绩</th><th>总成绩</th><th>名次</th></tr></thead>' +
      '<tbody><tr><td>1</td><td>区人民医院</td><td>A01</td><td>护士</td><td>欧阳&lt;娜&gt;</td><td>2603****2173</td><td>81.50</td><td>81.50</td><td>1</td></tr></tbody></table>' +
      '<p>对名单有异议的，可在公示期内反映。反映问题应实事求是，并提供必要的证据。</p><p>受理部门：人事科；联系电话：0571-1</p>' +
      '<p data-align="right">区卫健局</p><p data-align="right">2026年3月17日</p>',
  })
})

test('what nobody has is no column', () => {
  const { content } = publicityNotice({ ...facts, list: 2, people: [{ ...person, interview: '90.00', total: '', unitName: '' }] })
  expect(content).toContain('<th>笔试成绩</th><th>面试成绩</th><th>名次</th>')
  expect(content).toContain('<th>序号</th><th>岗位代码</th>')
})
