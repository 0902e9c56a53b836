import { readFileSync } from 'node:fs'
import decodeQr from 'qr/decode.js'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { qrModules, qrSvg } from '#kernel/qr.ts'
import { render, type SampleInput } from '../../../test/support/pdf-sample.ts'
import { pdfText } from '../../../test/support/pdf-text.ts'
import { code128 } from './code128.ts'
import { hasGlyph, loadFonts, missingGlyphs } from './fonts.ts'
import { fitText, MissingGlyphError, textWidth, wrapText } from './layout.ts'
import { createPdf } from './page.ts'
import { createPdfPool, PdfBusyError, PdfRenderError } from './pool.ts'

const fonts = loadFonts()
const RARE = '䶮𬭎㼆·〇'

test('fonts › cover the rare characters of names, and name those they do not cover', () => {
  expect([...RARE].every(char => hasGlyph(fonts, char.codePointAt(0) ?? 0))).toBe(true)
  expect(missingGlyphs(fonts, `张三${RARE}A1\n𠮷\u{E000}𠮷`)).toEqual(['𠮷', '\u{E000}'])
  expect(() => loadFonts([Buffer.from('not a font')])).toThrow()
})

test('fonts › an uploaded font is asked glyph by glyph after the bundled ones', () => {
  const spare = loadFonts([readFileSync(new URL('../../../../assets/fonts/NotoSansSC_700Bold.ttf', import.meta.url))])
  expect(spare.fallbacks).toHaveLength(1)
  const onlySpare = { ...spare, regular: { ...spare.regular, has: (c: number) => c !== 0x4dae }, bold: { ...spare.bold, has: () => false } }
  const document = createPdf(onlySpare, { title: 't', createdAt: new Date(0) })
  document.text({ x: 10, y: 10, width: 100, height: 10 }, '张䶮三', { sizePt: 12 })
  return document.finish().then(bytes => expect(pdfText(bytes)).toEqual([['张', '䶮', '三']]))
})

test('pdf › a sheet with photo, QR, bars and tables stays below 200 KB and its text can be extracted, rare characters included', async () => {
  const bytes = await render({ name: `张${RARE}买买提·阿卜杜拉` })
  const pages = pdfText(bytes)
  const [first = [], second = []] = pages
  expect(pages.length).toBe(2)
  expect(first.slice(0, 2).join('')).toBe('2026年区卫生健康系统公开招聘事业单位工作人员笔试（第一批次）暨急需紧缺人才专场招聘考试')
  expect(first).toContain(`张${RARE}买买提·阿卜杜拉`)
  expect(first).toContain('330199199001011234')
  expect(second).toEqual(['考场规则'])
  expect(Buffer.from(bytes.subarray(0, 8)).toString()).toBe('%PDF-1.7')
  expect(bytes.length).toBeLessThan(200 * 1024)
})

test('pdf › every character of CJK Extension A is drawn and extracted as itself', async () => {
  const all = Array.from({ length: 0x4dc0 - 0x3400 }, (_, i) => String.fromCodePoint(0x3400 + i)).filter(char =>
    hasGlyph(fonts, char.codePointAt(0) ?? 0),
  )
  const document = createPdf(fonts, { title: 't', createdAt: new Date(0) })
  for (let at = 0; at < all.length; at += 60) {
    document.text({ x: 5, y: 5 + at / 25, width: 200, height: 3 }, all.slice(at, at + 60).join(''), { sizePt: 5 })
  }
  const extracted = [
    ...pdfText(await document.finish())
      .flat()
      .join(''),
  ]
  // Three pairs are the same character encoded twice, for which the font has one glyph.
  expect(all.flatMap((char, i) => (extracted[i] === char ? [] : [`${char}${extracted[i]}`]))).toEqual([])
  expect(all.length).toBe(6_582)
})

test('pdf › text is found as it was written, whatever was drawn in documents before and on the same page', async () => {
  const draw = async (...lines: readonly string[]) => {
    const document = createPdf(fonts, { title: 't', createdAt: new Date(0) })
    for (const [at, line] of lines.entries()) document.text({ x: 10, y: 10 + 10 * at, width: 180, height: 8 }, line, { sizePt: 12 })
    return pdfText(await document.finish())
      .flat()
      .join('')
  }
  // Two characters of one glyph each: a no-break space and a space, ideographs and their compatibility forms, two dots.
  for (const [first, second] of [
    ['张\u{A0}三', '张 三'],
    ['\u{F900}\u{F901}', '豈更'],
    ['AV\u{2010}fi', 'AV-fi'],
  ] as const) {
    expect(await draw(first)).toBe(first)
    expect(await draw(second)).toBe(second)
    expect(await draw(first, second, first)).toBe(`${first}${second}${first}`)
  }
})

test('pdf › a character no font has stops the document instead of printing a box', async () => {
  await expect(render({ name: '𠮷野' })).rejects.toThrow(new MissingGlyphError(['𠮷']))
})

test('layout › a name of 50 characters shrinks to 7 pt, then takes two lines; what fits nowhere is cut visibly', () => {
  const options = { sizePt: 11, minSizePt: 7, maxLines: 2, prefer: 'shrink' as const }
  const width = 109.6 * (72 / 25.4)
  const height = 9 * (72 / 25.4)
  const fitCell = (text: string) => fitText(fonts, 'regular', text, width, height, options)
  expect(fitCell('张三')).toEqual({ sizePt: 11, lines: ['张三'], isCut: false })
  expect(fitCell('汉'.repeat(40))).toEqual({ sizePt: 7.5, lines: ['汉'.repeat(40)], isCut: false })
  expect(fitCell('汉'.repeat(50))).toEqual({ sizePt: 9.5, lines: ['汉'.repeat(32), '汉'.repeat(18)], isCut: false })
  expect(fitCell('汉'.repeat(200))).toMatchObject({ sizePt: 7, isCut: true, lines: ['汉'.repeat(44), `${'汉'.repeat(43)}…`] })
})

test('layout › lines break between Han characters, never before closing or after opening marks, nor inside words', () => {
  expect(wrapText(fonts, 'regular', '一二三四五，六七', 5)).toEqual(['一二三四', '五，六七'])
  expect(wrapText(fonts, 'regular', '一二三四（五六）七', 5)).toEqual(['一二三四', '（五六）七'])
  expect(wrapText(fonts, 'regular', '考试 begins at nine\n\n完', 6)).toEqual(['考试 begins', 'at nine', '', '完'])
  const broken = wrapText(fonts, 'regular', '𬭎'.repeat(3) + 'W'.repeat(12), 4)
  expect(broken.join('')).toBe('𬭎'.repeat(3) + 'W'.repeat(12))
  expect(broken.every(line => textWidth(fonts, 'regular', line) <= 4)).toBe(true)
})

test('code128 › known symbol sequences, and every pattern is 11 modules wide', () => {
  // "PJJ123C" is a worked example of the symbology; from start B its check symbol is (104 + 775) mod 103 = 55.
  const widths = code128('PJJ123C').join('')
  expect(widths).toBe('211214' + '313121' + '112133' + '112133' + '123221' + '223211' + '221132' + '131321' + '311321' + '2331112')
  expect(code128('260301012173').reduce((sum, width) => sum + width, 0)).toBe(11 * 8 + 13)
  for (let symbol = 0; symbol < 95; symbol++) {
    expect(
      code128(String.fromCharCode(32 + symbol))
        .slice(6, 12)
        .reduce((sum, width) => sum + width, 0),
    ).toBe(11)
  }
  expect(() => code128('准考证')).toThrow()
})

test('qr › the SVG decodes to its text', async () => {
  const text = 'https://example.test/t/000000-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG'
  const { data, info } = await sharp(Buffer.from(qrSvg(text)))
    .resize(400, 400)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect(decodeQr({ data: new Uint8ClampedArray(data), width: info.width, height: info.height })).toBe(text)
  expect(qrModules('a').size).toBe(21)
})

const pool = createPdfPool<SampleInput>({
  size: 1,
  queueLength: 2,
  timeoutMs: 8_000,
  templateUrl: new URL('../../../test/support/pdf-sample.ts', import.meta.url),
})
afterAll(() => pool.close())

test('pool › renders in a thread, reports template errors and missing characters, and goes on after each', async () => {
  await expect(pool.render({ name: '', behave: 'throw' })).rejects.toThrow(new PdfRenderError('template failed', []))
  await expect(pool.render({ name: '𠮷' })).rejects.toMatchObject({ name: 'PdfRenderError', missingCharacters: ['𠮷'] })
  expect(pdfText(await pool.render({ name: '张三' }))[0]).toContain('张三')
})

test('pool › the queue is bounded, a waiting render can be cancelled, a dead thread is replaced', async () => {
  const cancel = new AbortController()
  const dying = pool.render({ name: '', behave: 'die' })
  const waiting = pool.render({ name: '张三' })
  const cancelled = pool.render({ name: '李四' }, cancel.signal)
  const refused = pool.render({ name: '王五' })
  cancel.abort(new Error('gone'))
  await expect(refused).rejects.toBeInstanceOf(PdfBusyError)
  await expect(cancelled).rejects.toThrow('gone')
  await expect(dying).rejects.toBeInstanceOf(PdfRenderError)
  expect(pdfText(await waiting)[0]).toContain('张三')
})

test('pool › a render without end loses its thread', async () => {
  const quick = createPdfPool<SampleInput>({
    size: 1,
    timeoutMs: 300,
    templateUrl: new URL('../../../test/support/pdf-sample.ts', import.meta.url),
  })
  await expect(quick.render({ name: '', behave: 'hang' })).rejects.toThrow('rendering took too long')
  await quick.close()
  await expect(quick.render({ name: '' })).rejects.toThrow('the pool is closed')
})
