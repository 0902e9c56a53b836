import { expect, test } from 'vitest'
import { pdfText } from '../../../../test/support/pdf-text.ts'
import { render } from '../templates/papers.ts'
import type { FormSheet } from './registration-form.ts'

const sheet = (more: Partial<FormSheet>): FormSheet => ({
  examName: '2026年某区卫生健康系统事业单位公开招聘工作人员（第二批）',
  title: '报 名 登 记 表',
  mark: null,
  organizer: '区卫生健康局',
  numberLabel: '报名序号：',
  signNo: '20260300000001',
  dateText: '提交时间：2026-03-17 10:00',
  photoLabel: '照片',
  photo: null,
  blocks: [{ kind: 'pairs', title: '基本信息', field: 'name', pairs: [{ label: '姓名', value: '张䶮', isWide: false }] }],
  undertaking: { title: '诚信承诺', text: '真实。', signLabel: '本人签名：', signature: null, dateLabel: '日期：', date: '2026-03-17' },
  opinions: [{ title: '审核意见', text: '', signLabel: '审核人（签名）：', name: '', dateLabel: '日期：', date: '' }],
  foot: '第 {page} 页 共 {pages} 页',
  createdAt: '2026-03-17T02:00:00.000Z',
  ...more,
})
const pagesOf = async (of: FormSheet) => pdfText(await render({ kind: 'form', sheet: of }))

test('little fills one sheet, with room for names and dates that are written by hand', async () => {
  const pages = await pagesOf(sheet({}))
  expect(pages).toHaveLength(1)
  expect(pages[0]).toContain('张䶮')
  expect(pages[0]?.at(-1)).toBe('第 1 页 共 1 页')
})

test('a form with everything in it and a long undertaking stays within two sheets, and nothing of it is left out', async () => {
  const pairs = Array.from({ length: 44 }, (_, i) => ({ label: `报名项${i}`, value: `第${i}项的答案`, isWide: false }))
  const long = '在某县中医医院急诊科工作，负责急诊分诊与抢救配合，曾获年度先进个人。'.repeat(6)
  const rows = Array.from({ length: 10 }, (_, i) => [`20${10 + i}-09`, `20${11 + i}-08`, `某某大学附属第${i}人民医院急诊医学科`, '护士'])
  const promise = '本人郑重承诺：所填写的信息和提交的材料真实、准确、完整、有效，如有不实，自愿承担取消资格等一切后果。'.repeat(12)
  const pages = await pagesOf(
    sheet({
      blocks: [
        { kind: 'pairs', title: '基本信息', field: 'name', pairs: [...pairs, { label: '工作业绩', value: long, isWide: true }] },
        { kind: 'table', title: '个人简历', field: 'resume', heads: ['起始年月', '结束年月', '单位（学校）', '职务（专业）'], rows },
        {
          kind: 'table',
          title: '家庭成员',
          field: 'family',
          heads: ['姓名', '关系', '单位', '电话'],
          rows: rows.map((_, i) => [`成员${i}`, '父亲', '务农', '13800000000']),
        },
      ],
      undertaking: { title: '诚信承诺', text: promise, signLabel: '本人签名：', signature: null, dateLabel: '日期：', date: '' },
    }),
  )
  expect(pages).toHaveLength(2)
  const text = pages.flat().join('')
  for (const { label, value } of pairs) expect(text).toContain(`${label}${value}`)
  expect([text.includes(long), text.includes(promise), text.includes('成员9')]).toEqual([true, true, true])
})
