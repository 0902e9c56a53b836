import { readFileSync } from 'node:fs'
import { loadFonts } from '#kernel/pdf/fonts.ts'
import { createPdf } from '#kernel/pdf/page.ts'

export interface SampleInput {
  readonly name: string
  readonly behave?: 'throw' | 'hang' | 'die'
}

const PHOTO = new URL('../../seed/data/portraits/p01-white.jpg', import.meta.url)

/** A two-page document with everything the page helpers draw; template of the pool's tests. */
export async function render(input: SampleInput): Promise<Uint8Array> {
  if (input.behave === 'throw') throw new Error('template failed')
  if (input.behave === 'hang') for (;;);
  if (input.behave === 'die') process.exit(3)
  const pdf = createPdf(loadFonts(), { title: '准考证', createdAt: new Date('2026-11-20T00:00:00Z') })
  const cell = { sizePt: 11, minSizePt: 7, maxLines: 2 } as const
  pdf.text(
    { x: 15, y: 12, width: 180, height: 14 },
    '2026年区卫生健康系统公开招聘事业单位工作人员笔试（第一批次）暨急需紧缺人才专场招聘考试',
    {
      sizePt: 16,
      minSizePt: 12,
      maxLines: 2,
      prefer: 'wrap',
      weight: 'bold',
      align: 'center',
    },
  )
  pdf.text({ x: 15, y: 26, width: 180, height: 10 }, '准 考 证', { sizePt: 20, weight: 'bold', align: 'center' })
  const end = pdf.table(
    15,
    38,
    [
      { widthMm: 28, style: { ...cell, align: 'center', weight: 'bold' } },
      { widthMm: 112, style: cell },
    ],
    9,
    [
      ['姓名', input.name],
      ['性别', '女'],
      ['证件号码', '330199199001011234'],
      ['准考证号', '2603 0101 2173'],
      ['报考单位', '区第一人民医院（区妇幼保健院、区急救中心）'],
      ['报考岗位', '临床医师Ⅱ（A001）'],
      ['报名序号', '00017'],
    ],
  )
  pdf.image({ x: 160, y: 38, width: 30, height: 42 }, readFileSync(PHOTO))
  pdf.qr({ x: 160, y: 84, width: 30, height: 30 }, 'https://example.test/t/000000-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG')
  pdf.barcode({ x: 160, y: 116, width: 30, height: 8 }, '260301012173')
  pdf.paragraph(
    { x: 15, y: end + 10, width: 140, height: 60 },
    '一、考生须携带本准考证和有效期内的居民身份证（原件）入场，缺一不可；开考30分钟后不得入场。\n二、手机等电子设备须关机并封存。Mobile phones must be switched off and sealed before the examination begins.',
    { sizePt: 10 },
  )
  pdf.line(15, 270, 195, 270)
  pdf.text({ x: 15, y: 271, width: 180, height: 6 }, '第 1 页 共 2 页', { sizePt: 9, align: 'right', color: '#555555' })
  pdf.addPage()
  pdf.text({ x: 15, y: 15, width: 180, height: 10 }, '考场规则', { sizePt: 16, weight: 'bold' })
  return pdf.finish()
}
