import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, expect, test } from 'vitest'
import { openPromise } from 'yauzl'
import { writeSheet } from '#kernel/sheet/write-sheet.ts'
import { templateBook } from './template-book.ts'

const folder = mkdtempSync(join(tmpdir(), 'kaopu-template-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('[S7.40] the cells of a template that are still empty have the format of their field, its list and its hint', async () => {
  const path = join(folder, 'a.xlsx')
  await writeSheet(
    path,
    templateBook(
      label => label.zh,
      { zh: '名单', en: 'People' },
      {
        idCard: { header: '证件号码', required: true, kind: 'code' },
        name: { header: '姓名', required: true },
        amount: { header: '金额', required: false, kind: 'number' },
        day: { header: '毕业时间', required: false, kind: 'day' },
        end: { header: '截止时间', required: false, kind: 'moment' },
      },
      {
        idCard: { note: { zh: '18 位', en: '18 characters' }, sample: '330106200001010011' },
        name: { note: { zh: '', en: '' }, sample: '', choices: ['甲'] },
      },
    ),
  )
  const parts = new Map<string, string>()
  const zip = await openPromise(path)
  for await (const entry of zip.eachEntry()) parts.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)))
  const sheet = parts.get('xl/worksheets/sheet1.xml') ?? ''
  const styles = parts.get('xl/styles.xml') ?? ''
  const cellFormats = [...(/<cellXfs[^>]*>(.*)<\/cellXfs>/.exec(styles)?.[1] ?? '').matchAll(/<xf numFmtId="(\d+)"/g)].map(
    match => match[1],
  )
  const ownFormats = new Map([...styles.matchAll(/<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g)].map(match => [match[1], match[2]]))
  const formats = [...sheet.matchAll(/<col [^>]*style="(\d+)"/g)].map(match => {
    const id = cellFormats[Number(match[1])]
    return ownFormats.get(id) ?? id
  })
  // 49 is text, 0 is General.
  expect(formats).toEqual(['49', '49', '0', 'yyyy-mm-dd', 'yyyy-mm-dd hh:mm'])
  expect([...sheet.matchAll(/<dataValidation .*?sqref="([^"]*)"/g)].map(match => match[1])).toEqual(['A2:A5001', 'B2:B5001'])
  expect(sheet).toContain(
    'showInputMessage="1" promptTitle="证件号码" prompt="18 位&#10;文本格式，开头的 0 会保留&#10;示例: 330106200001010011"',
  )
  expect((await readXlsx(await readFile(path))).sheets.map(each => each.name)).toContain('名单')
})
