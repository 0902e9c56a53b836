import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFailed, test } from 'vitest'
import { parseCsv } from '#kernel/csv.ts'
import { readSheet } from '#kernel/sheet/read-sheet.ts'
import { writeSheet } from '#kernel/sheet/write-sheet.ts'
import { comeIn, launchBrowser, type Visitor, visit } from './support/browser.ts'
import { calm } from './support/calm.ts'
import { seedData, windows } from './support/exam.ts'
import { type Backdoor, openBackdoor } from './support/people.ts'
import { sharedServer } from './support/shared-server.ts'

// An examination made from nothing to released, and closed again, by nothing but clicks and typing.

let server: Awaited<ReturnType<typeof sharedServer>>
let browser: Browser
let backdoor: Backdoor
let office: Visitor
let broken = false

beforeAll(async () => {
  server = await sharedServer()
  backdoor = await openBackdoor(server.dataDir)
  await backdoor.addStaff([
    { account: 'kaowu1', realName: '周考务', roles: ['exam_admin', 'admin'] },
    { account: 'kaowu2', realName: '李考务', roles: ['exam_admin', 'admin'] },
  ])
  browser = await launchBrowser()
  office = await visit(browser, server.url, { name: '周考务', screen: 'desktop' })
  await comeIn(office, 'kaowu1')
})
afterAll(async () => {
  await browser?.close()
  await backdoor?.close()
})
beforeEach(() => {
  onTestFailed(async () => {
    if (broken) return
    broken = true
    console.log(await office.fail())
    console.log(`--- server\n${server.output()}`)
  })
  if (broken) throw new Error('an earlier step failed')
})
afterEach(() => {
  expect(office.troubles()).toEqual([])
})

const name = '区卫生健康系统公开招聘护理人员（逐项录入）'
const code = 'HL2026W'
let examId = ''

const box = (page: Page | Locator, field: string): Locator =>
  page.locator(`[data-field="${field}"]`).locator('input, textarea, select').first()
/** As a person leaves a field: with the tabulator key. */
const type = async (page: Page | Locator, field: string, text: string): Promise<void> => {
  await box(page, field).fill(text)
  await box(page, field).press('Tab')
}
const step = (page: Page, title: string): Promise<void> => page.locator('.step-nav').getByRole('button', { name: title }).click()
const save = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: '保存草稿' }).click()
  await page.getByText('所有修改已保存').waitFor()
}
/** A heading, a bold word and a link, by the keyboard and the tools above the text. */
const writeDescription = async (page: Page): Promise<void> => {
  const text = page.getByRole('textbox', { name: '考试说明' })
  const tools = page.getByRole('toolbar', { name: '考试说明的排版工具' })
  await text.click()
  await tools.getByRole('button', { name: '一级标题' }).click()
  await page.keyboard.type('招聘公告')
  await page.keyboard.press('Enter')
  await page.keyboard.type('岗位表见')
  await page.keyboard.press('Control+b')
  await page.keyboard.type('附件')
  await page.keyboard.press('Control+b')
  await page.keyboard.type('，')
  await tools.getByRole('button', { name: '链接' }).click()
  await page.getByLabel('链接地址').fill('javascript:alert(1)')
  await page.getByRole('button', { name: '设为链接' }).click()
  await page.getByText('请以 https://').waitFor()
  await page.getByLabel('链接地址').fill('https://example.org/posts')
  await page.getByLabel('链接地址').press('Enter')
}
const section = (page: Page, label: RegExp): Locator => page.getByRole('region', { name: label })

/** Posts of nursing, which sit papers 01 and 12, as rows of the workbook T1. */
const nursing = (): { readonly header: readonly string[]; readonly rows: string[][] } => {
  const [header = [], ...rows] = parseCsv(readFileSync(seedData('posts.csv'), 'utf8'))
  const papers = header.findIndex(title => title.startsWith('考试科目代码'))
  return { header, rows: rows.filter(row => row[papers] === '01,12').slice(0, 5) }
}
const workbook = async (file: string, header: readonly string[], rows: readonly (readonly string[])[]): Promise<string> => {
  const path = join(server.dataDir, file)
  await writeSheet(path, { sheets: [{ name: '岗位表', columns: header.map(title => ({ header: title })), rows }] })
  return path
}

test('[S7.38] an examination begins with its basics; what is missing or wrong is named at its field', async () => {
  const { page } = office
  await office.open('/exam/examination')
  await page.getByRole('button', { name: '新建考试' }).first().click()
  await page.getByRole('heading', { name: '新建考试' }).waitFor()
  await page.getByRole('button', { name: '保存草稿' }).click()
  await page.getByText('请先更正标出的内容').waitFor()
  // Named in a summary, which leads to the field, and at the field.
  await page.locator('[data-field=examName] .field-error').getByText('请输入考试名称').waitFor()
  const summary = page.locator('.exam-findings')
  expect(await summary.getByRole('button').allInnerTexts()).toEqual(['基本信息：请输入考试名称', '基本信息：请输入考试编码'])
  await summary.getByRole('button', { name: '考试编码' }).click()
  await expect.poll(() => page.evaluate<boolean>('document.activeElement.matches("[data-field=examCode] input")')).toBe(true)
  await type(page, 'examName', name)
  await type(page, 'examCode', 'hl 2026')
  await page.locator('[data-field=examCode] .field-error').getByText('考试编码格式不正确：大写字母、数字和连字符').waitFor()
  await office.look('wizard-basics-wrong')
  await type(page, 'examCode', code)
  await type(page, 'year', windows.sign_begin.slice(0, 4))
  await type(page, 'examNo', '21')
  await type(page, 'contactPhone', '0000-88010037')
  await type(page, 'organizer', '某区卫生健康局')
  await writeDescription(page)
  await type(page, 'promise', '本人承诺所填信息和所交材料真实、准确、完整。')
  await page.getByRole('button', { name: '保存草稿' }).click()
  await page.waitForURL(/\/exam\/examination\/\d+\/setup/)
  examId = /examination\/(\d+)/.exec(page.url())?.[1] ?? ''
  await page.getByRole('heading', { name }).waitFor()
  const { description } = await office.ask('/blade-exam/examination/detail', { id: examId })
  expect(description).toBe(
    '<h3>招聘公告</h3><p>岗位表见<strong>附件</strong>，<a href="https://example.org/posts" rel="noopener noreferrer" target="_blank">https://example.org/posts</a></p>',
  )
  await step(page, '时间轴')
  await page.locator('.tag-tabs').getByText(name).waitFor()
  await step(page, '基本信息')
  await office.look('wizard-basics')
})

test('[S7.38] the check list names what is open and leads to each step', async () => {
  const { page } = office
  await step(page, '检查并发布')
  await page.getByText(/还有 \d+ 处需要处理/).waitFor()
  const open = page.locator('.exam-problems li')
  const texts = await open.locator('span').allInnerTexts()
  expect(texts).toEqual(['请设置报名开始时间', '请设置报名结束时间', '请设置审核结束时间', '至少需要一个岗位'])
  await office.look('wizard-problems')
  // What lacks nothing for the release is ticked, and a step names what it lacks. One that has no papers may be released and says so.
  const ticked = await page.locator('.step-nav [data-look=done]').allInnerTexts()
  expect(ticked.map(text => text.split('\n')[1])).toEqual(['基本信息', '报名项', '材料', '审核设置'])
  await page.getByText('没有考试科目：不会有座位、准考证和成绩').waitFor()
  await step(page, '岗位导入')
  await page.locator('.exam-lacks').getByText('至少需要一个岗位').waitFor()
  await step(page, '检查并发布')
  for (const [index, text] of texts.entries()) {
    await open.nth(index).getByRole('button').click()
    expect(await page.locator('.step-nav [aria-current=step]').innerText(), text).not.toContain('检查并发布')
    await step(page, '检查并发布')
    await open.nth(texts.length - 1).waitFor()
  }
})

test('the timeline refuses days that do not exist and ends before beginnings', async () => {
  const { page } = office
  await step(page, '时间轴')
  await type(page, 'signBegin', '2026-02-30 09:00')
  await page.locator('.field-error').getByText('“2026-02-30 09:00”不是报名开始能用的时间').waitFor()
  expect(await box(page, 'signBegin').inputValue()).toBe('2026-02-30 09:00')
  const times = {
    signBegin: windows.sign_begin,
    signEnd: windows.sign_begin,
    examineEnd: windows.examine_end,
    payBegin: windows.pay_begin,
    payEnd: windows.pay_end,
    ticketBegin: windows.ticket_begin,
    ticketEnd: windows.ticket_end,
  }
  for (const [field, text] of Object.entries(times)) await type(page, field, text.slice(0, 16))
  await page.locator('.field-error').getByText('报名结束时间须晚于开始时间').waitFor()
  await office.look('wizard-times-wrong')
  await type(page, 'signEnd', windows.sign_end)
  await page.locator('.field-error').getByText('报名结束时间须晚于开始时间').waitFor({ state: 'detached' })
  await office.look('wizard-times')
  await save(page)
})

test('what somebody else has saved meanwhile is merged, what a closed window left is brought back', async () => {
  const { page } = office
  const other = await visit(browser, server.url, { name: '另一位考务', screen: 'desktop' })
  await comeIn(other, 'kaowu2')
  await other.open(`/exam/edit/${examId}`)
  await type(other.page, 'undertaker', '某区人才中心')
  await type(other.page, 'organizer', '某区卫健局')
  await step(page, '基本信息')
  await type(page, 'organizer', '某区卫健委')
  await type(page, 'contactPhone', '0000-88010038')
  await save(page)
  other.expectRefusal(409)
  await other.page.getByRole('button', { name: '保存草稿' }).click()
  await other.page.getByRole('dialog').getByText('周考务刚刚保存过这场考试，改了：咨询电话、主办单位（您也改过，保留您的）。').waitFor()
  await other.page.getByRole('dialog').getByRole('button', { name: '合并修改' }).click()
  await other.page.getByText('您改过的各项仍在').waitFor()
  expect(await box(other.page, 'undertaker').inputValue()).toBe('某区人才中心')
  expect(await box(other.page, 'contactPhone').inputValue()).toBe('0000-88010038')
  expect(await box(other.page, 'organizer').inputValue()).toBe('某区卫健局')
  await save(other.page)
  await type(other.page, 'organizer', '某区卫生健康局人事科')
  await expect.poll(() => other.page.evaluate<string>('JSON.stringify(localStorage)')).toContain('人事科')
  other.page.on('dialog', dialog => void dialog.accept())
  await other.page.reload()
  await other.page.getByRole('button', { name: '恢复' }).click()
  await expect.poll(() => box(other.page, 'organizer').inputValue()).toBe('某区卫生健康局人事科')
  await save(other.page)
  expect(other.troubles()).toEqual([])
  await other.context.close()
  await office.open(`/exam/edit/${examId}`)
  await page.getByText('所有修改已保存').waitFor()
})

test('[S7.61] a table has its columns, a required file its pixels and its sample', async () => {
  const { page } = office
  const dialog = page.getByRole('dialog')
  const save = dialog.getByRole('button', { name: '保存' })
  await office.open('/exam/items')
  await page.getByRole('button', { name: '新增', exact: true }).click()
  await dialog.locator('#itemKey').fill('duties')
  await dialog.locator('#itemLabel').fill('值班情况')
  await dialog.getByText('类型为“表格”时在这里设置各列').waitFor()
  await dialog.locator('#fieldType').click()
  await page.keyboard.type('表格')
  await page.keyboard.press('Enter')
  office.expectRefusal(400)
  await save.click()
  await dialog.getByText('表格至少要有一列').waitFor()
  await dialog.getByRole('button', { name: '添加一列' }).click()
  await dialog.getByText('表格至少要有一列').waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: '添加一列' }).click()
  await dialog.getByLabel('第 1 列: 列名称').fill('日期')
  await dialog.getByLabel('第 1 列: 类型').selectOption('date')
  await dialog.getByLabel('第 2 列: 列名称').fill('班次')
  await dialog.getByLabel('第 2 列: 类型').selectOption('select')
  await dialog.getByLabel('第 2 列: 选择字典').selectOption('degree')
  await dialog.getByRole('checkbox', { name: '必填' }).last().check()
  await dialog.getByRole('button', { name: '第 2 列上移' }).click()
  await office.look('library-table')
  await save.click()
  await page.getByText('新增成功').waitFor()
  const items = await office.ask('/blade-items/items/list', { itemKey: 'duties' })
  expect(items.records[0].columns).toEqual([
    { key: 'c2', label: '班次', fieldType: 'select', required: true, dictCode: 'degree', maxLen: null },
    { key: 'c1', label: '日期', fieldType: 'date', required: false, dictCode: null, maxLen: null },
  ])

  await office.open('/exam/files')
  await page
    .getByRole('row', { name: /idFront/ })
    .getByRole('button', { name: '编辑' })
    .click()
  await dialog.getByLabel('限制像素').check()
  await dialog.getByLabel('最小宽度').fill('600')
  await dialog.locator('input[type=file]').setInputFiles(fileURLToPath(seedData('portraits/id-front-1.jpg')))
  await dialog.getByRole('link', { name: 'id-front-1.jpg' }).waitFor()
  await office.look('library-sample')
  await save.click()
  await dialog.waitFor({ state: 'detached' })
  const files = await office.ask('/blade-files/files/list', { fileKey: 'idFront' })
  expect(files.records[0]).toMatchObject({ pixel: { minW: 600, minH: 413 }, sampleLink: expect.stringMatching(/^\/api\/file\//) })
  await page
    .getByRole('row', { name: /idFront/ })
    .getByRole('button', { name: '查看' })
    .click()
  await dialog.getByRole('link', { name: '看样例' }).waitFor()
  await dialog.getByRole('button', { name: '关闭' }).last().click()
  await office.open(`/exam/edit/${examId}`)
})

test('[S7.38] form fields and required files come from the libraries', async () => {
  const { page } = office
  await step(page, '报名项')
  // What is hidden from the eye lies in the scrolling page, too: the document itself never grows past the window.
  expect(await page.evaluate<boolean>('document.documentElement.scrollHeight <= innerHeight')).toBe(true)
  const library = section(page, /^报名项库$/)
  await library.getByRole('searchbox').fill('证书')
  await library.getByRole('button').first().click()
  await library.getByRole('searchbox').fill('服从')
  await library.getByRole('button', { name: /服从/ }).first().click()
  const chosen = section(page, /^本次考试的报名项/)
  const last = chosen.getByRole('listitem').last()
  await last.getByRole('checkbox', { name: '必填' }).check()
  await chosen.getByRole('button', { name: /上移/ }).last().click()
  await last.getByText('更多').click()
  await last.getByLabel('英文填写提示').fill('Yes lets the office offer you another post')
  await last.getByLabel('分组“基本信息”的英文名称').fill('About you')
  await office.look('wizard-fields')
  await step(page, '材料')
  const files = section(page, /^材料库$/)
  for (const label of ['人像面', '国徽面', '学历证书']) {
    await files.getByRole('searchbox').fill(label)
    await files.getByRole('button').first().click()
  }
  await office.look('wizard-files')
  await save(page)
  const detail = await office.ask('/blade-exam/examination/detail', { id: examId })
  expect(detail.signfiles.map((file: { fileKey: string }) => file.fileKey)).toEqual(['photo', 'idFront', 'idBack', 'diploma'])
  expect(detail.signitems).toHaveLength(15)
  // The English name is the group's, whichever field it was typed at.
  expect(
    new Set(detail.signitems.map((item: { groupName: string; groupNameEn: string }) => `${item.groupName} ${item.groupNameEn}`)),
  ).toEqual(new Set(['基本信息 About you']))
  expect(detail.signitems.map((item: { helpEn: string | null }) => item.helpEn)).toContain('Yes lets the office offer you another post')
  expect(detail.signfiles[0].helpEn).toMatch(/^A recent front view/)
})

test('[S7.38][S7.61] a switch asks about adjustment; conditions are chosen in words, in the form and in the list of fields', async () => {
  const { page } = office
  const asks = page.locator('[data-field="allowAdjust"]').getByRole('switch')
  // Each field names the others as its condition: it is told by its own name.
  const named = page.locator('.chosen-name', { hasText: '是否服从调剂' })
  const field = section(page, /^本次考试的报名项/)
    .getByRole('listitem')
    .filter({ has: named })
  await step(page, '审核设置')
  expect(await asks.getAttribute('aria-checked')).toBe('true')
  await asks.click()
  await step(page, '报名项')
  await section(page, /^本次考试的报名项/)
    .getByRole('listitem')
    .first()
    .waitFor()
  expect(await field.count()).toBe(0)
  await step(page, '审核设置')
  await asks.click()
  await step(page, '报名项')
  await field.getByText('更多').click()
  await field.getByLabel('仅当').selectOption({ label: '学历' })
  await field.getByLabel('条件的值').selectOption({ label: '本科' })
  await office.look('wizard-condition')
  await save(page)
  const detail = () => office.ask('/blade-exam/examination/detail', { id: examId })
  const condition = async () => (await detail()).signitems.find((item: { itemKey: string }) => item.itemKey === 'adjust').visibleWhen
  expect([(await detail()).allowAdjust, await condition()]).toEqual([1, { key: 'education', op: 'eq', value: '20' }])

  await office.open(`/exam/signitems?examId=${examId}&size=30`)
  const row = page.getByRole('row', { name: /adjust/ })
  const dialog = page.getByRole('dialog')
  await row.getByRole('button', { name: '查看' }).click()
  await dialog.getByText('学历 等于 本科').waitFor()
  await dialog.getByRole('button', { name: '关闭' }).last().click()
  await row.getByRole('button', { name: '编辑' }).click()
  await dialog.getByLabel('条件', { exact: true }).selectOption({ label: '是其中之一' })
  await dialog.getByRole('checkbox', { name: '研究生' }).check()
  await office.look('field-condition')
  await dialog.getByRole('button', { name: '保存' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await condition()).toEqual({ key: 'education', op: 'in', value: ['20', '10'] })
  await office.open(`/exam/edit/${examId}`)
})

test('[S7.38] papers are typed into a dialog that stands still from its first moment', async () => {
  const { page } = office
  await step(page, '考试项目与费用')
  await box(page, 'feeMode').selectOption({ label: '按岗位收费' })
  const day = windows.ticket_end.slice(0, 10)
  for (const [paperCode, title, begins, ends] of [
    ['01', '综合基础知识', '09:00', '10:30'],
    ['12', '护理学专业知识', '14:00', '15:30'],
  ] as const) {
    await watchDialog(page)
    await page.getByRole('button', { name: '新增科目' }).click()
    const dialog = page.getByRole('dialog', { name: '新增科目' })
    await type(dialog, 'itemName', title)
    await type(dialog, 'itemCode', paperCode)
    await type(dialog, 'startTime', `${day} ${ends}`)
    await type(dialog, 'endTime', `${day} ${begins}`)
    await dialog.getByText('结束时间须晚于开始时间').waitFor()
    await type(dialog, 'startTime', `${day} ${begins}`)
    await type(dialog, 'endTime', `${day} ${ends}`)
    await type(dialog, 'weight', '50')
    if (paperCode === '01') await office.look('wizard-paper')
    await dialog.getByRole('button', { name: '确定' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.evaluate('globalThis.dialogPlaces'), 'places of the dialog').toHaveLength(1)
  }
  await office.look('wizard-papers')
  await save(page)
})

test('[S7.38] a workbook with faults comes back with them, the mended one is stored', async () => {
  const { page } = office
  const { header, rows } = nursing()
  expect(rows).toHaveLength(5)
  const column = (title: string) => header.findIndex(one => one.startsWith(title))
  const bad = rows.map(row => [...row])
  const put = (row: number, title: string, value: string) => {
    const cells = bad[row]
    if (cells !== undefined) cells[column(title)] = value
  }
  put(1, '岗位代码', bad[0]?.[column('岗位代码')] ?? '')
  put(2, '招聘人数', '-1')
  put(3, '考试科目代码', '01,77')
  put(4, '出生日期不早于', '2026-02-30')
  await step(page, '岗位导入')
  await page.getByRole('button', { name: '导入岗位表' }).click()
  const dialog = page.getByRole('dialog', { name: '导入岗位表' })
  // What is no workbook is refused where the file stands, and is not offered to be sent once more.
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'letter.xlsx', mimeType: 'application/octet-stream', buffer: Buffer.from('a letter') })
  await dialog.getByText('文件无法读取：这是文本文件(如 csv)').waitFor()
  expect(await dialog.getByRole('button', { name: '重试' }).count()).toBe(0)
  expect(office.troubles()).toEqual([expect.stringContaining('status of 422')])
  await dialog.getByRole('button', { name: '重新选择' }).click()
  await dialog.locator('input[type=file]').setInputFiles(await workbook('bad.xlsx', header, bad))
  const findings = dialog.getByRole('region')
  await findings.getByRole('row').nth(4).waitFor()
  const texts = (await findings.getByRole('row').allInnerTexts()).join('\n')
  for (const part of ['招聘人数', '77', '2026-02-30']) expect(texts).toContain(part)
  // The wrong cells can be mended where they stand.
  expect(await findings.locator('input').evaluateAll(inputs => inputs.map(input => (input as { value?: string }).value))).toContain('-1')
  expect(await dialog.getByRole('button', { name: /^导入 \d+ 行/ }).isDisabled()).toBe(true)
  await office.look('wizard-posts-bad')
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: '下载错误工作簿' }).click()])
  const path = join(server.dataDir, 'errors.xlsx')
  await download.saveAs(path)
  const book = await readSheet(path)
  if (!('rows' in book)) throw new Error(`the error workbook cannot be read: ${book.problem}`)
  const cells = book.rows.map(row => row.cells.map(cell => String(cell ?? '')))
  expect(cells[0]).toEqual([...header, '校验结果', '错误原因'])
  expect(cells.slice(1).map(row => row[column('岗位代码')])).toEqual(bad.map(row => row[column('岗位代码')]))
  expect(cells.slice(3, 6).map(row => (row.at(-1) ?? '') !== '')).toEqual([true, true, true])

  await dialog.getByRole('button', { name: '重新选择' }).click()
  await dialog.locator('input[type=file]').setInputFiles(await workbook('good.xlsx', header, rows))
  await dialog.getByRole('button', { name: '导入 5 行' }).click()
  await dialog.getByText('新增 5 行').waitFor()
  await dialog.getByRole('button', { name: '关闭' }).last().click()
  await page.getByText('已有 5 个岗位').waitFor()
  await office.look('wizard-posts')
})

test('[S7.38] with nothing open it is released; candidates see it', async () => {
  const { page } = office
  await office.open(`/exam/edit/${examId}?step=8`)
  await page.getByText('检查通过，可以发布。').waitFor()
  await office.look('wizard-clear')
  await page.locator('.exam-section').getByRole('button', { name: '检查并发布' }).click()
  const asked = page.getByRole('dialog', { name: '发布考试' })
  await asked.getByText(/个岗位，计划 \d+ 人/).waitFor()
  await office.look('wizard-release-asked')
  await asked.getByRole('button', { name: '取消' }).click()
  expect(await office.ask('/blade-exam/examination/detail', { id: examId })).toMatchObject({ state: 0 })
  await page.locator('.exam-section').getByRole('button', { name: '检查并发布' }).click()
  await asked.getByRole('button', { name: '发布' }).click()
  await page.getByText('考试已发布，考生现在可以看到它。').waitFor()
  await calm(page)
  await office.look('wizard-released')
  expect(await page.getByText('考试已发布，考生现在可以看到它。').isVisible(), 'the sentence stays').toBe(true)
  await page.getByRole('button', { name: '返回考试列表' }).click()
  const row = page.getByRole('row', { name: new RegExp(code) })
  await row.getByText('已发布').waitFor()
  await row.getByText('报名中').waitFor()
  expect(await office.ask('/blade-exam/examination/detail', { id: examId })).toMatchObject({ state: 1, examName: name, feeMode: 3 })
})

test('closing asks for a reason and the code, and says so in the list', async () => {
  const { page } = office
  const row = page.getByRole('row', { name: new RegExp(code) })
  await row.getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '关闭考试' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: '关闭考试' }).or(dialog.locator('.button-danger')).first().click()
  await dialog.getByText('请').first().waitFor()
  await dialog.locator('textarea').fill('招聘计划调整')
  await dialog.locator('input').fill('HL2025')
  await dialog.locator('.button-danger').click()
  await office.look('wizard-close-wrong')
  await dialog.locator('input').fill(code)
  await dialog.locator('.button-danger').click()
  await row.getByText('已关闭').first().waitFor()
  await office.look('wizard-closed')
  expect(await office.ask('/blade-exam/examination/detail', { id: examId })).toMatchObject({ state: 2, closeReason: '招聘计划调整' })
})

/** Notes each place the next dialog's last button has, frame by frame from its first. */
const watchDialog = (page: Page): Promise<void> =>
  page.evaluate(`(() => {
    const places = []
    globalThis.dialogPlaces = places
    let wasOpen = false
    const look = () => {
      const button = [...document.querySelectorAll('[role=dialog] .form-footer button')].at(-1)
      if (button) {
        wasOpen = true
        const { x, width } = button.getBoundingClientRect()
        const place = x + ' ' + width
        if (places.at(-1) !== place) places.push(place)
      }
      if (button || !wasOpen) requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })()`)
