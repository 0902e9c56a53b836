import { expect, test } from 'vitest'
import { pdfText } from '../../../../test/support/pdf-text.ts'
import { render, type TicketLine, type TicketSheet } from './ticket.ts'

const line = (itemName: string, rules: string): TicketLine => ({
  ...{
    itemName,
    rules,
    day: '2026-04-18\n周六',
    time: '09:00–11:30',
    report: '08:30',
    siteName: '区第一中学',
    siteAddress: '人民路 100 号',
  },
  ...{ room: '第 002 考场', seatNo: '03', groupNo: '', waitRoom: '', drawNo: '' },
})
const sheet: TicketSheet = {
  ...{ kind: 'written', examName: '公开招聘', undertaker: '', contactPhone: '', name: '颜妙涵', sex: '女', idCard: '3301**********9322' },
  ...{ ticketNo: '260301002038', unitName: '某区人民医院', post: '护士', signNo: '1', more: [], photo: null, qrText: 'x' },
  ...{ lines: [], remark: '', shortRules: [], noticeTitle: '考生须知', notice: [], issuedAt: '', version: 'v1', isDraft: false },
}

test('[19.1] papers with the same rules share them on the ticket, and a paper with its own keeps them', async () => {
  const lines = [
    line('综合基础知识', '开考 15 分钟后不得入场'),
    line('护理学', '开考 15 分钟后不得入场'),
    line('英语', '自带耳机'),
    line('计算机', ''),
  ]
  const pdf = await render({ sheets: [{ ...sheet, lines }], createdAt: '2026-03-17T10:00:00Z' })
  const text = (pdfText(Buffer.from(pdf))[1] ?? []).join('')
  expect(text.replaceAll(/\s/g, '')).toContain('综合基础知识、护理学开考15分钟后不得入场英语自带耳机')
})
