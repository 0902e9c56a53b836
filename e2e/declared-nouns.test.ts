import { beforeAll, expect, test } from 'vitest'
import type { Field } from '#contract/kernel/field.ts'
import type { Label } from '#contract/kernel/label.ts'
import { type Resource, titleFieldOf } from '#contract/kernel/resource.ts'
import { plainResources } from '#contract/nouns.ts'
import { draftExam } from './support/exam.ts'
import { type Seat, sitAt } from './support/screen.ts'
import { openConsole } from './support/shell.ts'

// Screens that nobody has written: each noun that is a declaration and a table, as somebody works with it who holds its menu.

const roles = ['admin', 'exam_admin', 'finance', 'secadmin', 'auditor'] as const
const nouns = plainResources.filter(({ scope, verbs, menu }) => scope === 'tenant' && verbs.includes('submit') && menu !== undefined)
const keeperOf = ({ menu }: Resource) => roles.find(role => menu?.roles.includes(role)) ?? 'admin'
const office = openConsole(roles.map(role => ({ account: `e2e${role.replace('_', '')}`, realName: '钱管理', roles: [role] })))
let exam: string
beforeAll(async () => {
  const code = 'NOUN26'
  await draftExam(office.backdoor, code)
  exam = code
})

type Language = keyof Label
const sit = (noun: Resource, language: Language): Promise<Seat> =>
  sitAt(office, `e2e${keeperOf(noun).replace('_', '')}`, noun.menuPath, { language })

const isChosenAbove = (noun: Resource, name: string): boolean =>
  noun.within !== undefined && name === 'examId' && noun.fields['examId']?.required === true

/** A text that the declaration takes; where it has no pattern, one that tells what it is for. */
const textFor = (name: string, { pattern = '', max = 255 }: Field, usual: string, no: number): string => {
  const texts = [usual, `${name}${no}`, `${1000 + no}`, `0${no}`, `0${no}-00${no}`]
  const fitting = texts.find(text => text.length <= max && new RegExp(pattern, 'u').test(text))
  if (fitting === undefined) throw new Error(`${name}: a noun whose pattern this test cannot write for needs a test of its own`)
  return fitting
}
const titleOf = ({ fields }: Resource, language: Language, no: number): string => {
  const name = titleFieldOf(fields) ?? ''
  const field = fields[name]
  if (field === undefined) throw new Error('a noun has a text by which people call it')
  return textFor(name, field, `noun-${language}${no}`, no)
}

/** Fills the form by the labels of the declaration. */
const fillIn = async ({ desk, visitor }: Seat, noun: Resource, language: Language, title: string): Promise<void> => {
  for (const [name, field] of Object.entries(noun.fields)) {
    // Whoever adds a row of an examination has chosen that above the list.
    if (field.form === false || isChosenAbove(noun, name)) continue
    const label = field.label[language]
    const box = desk.window.getByLabel(label, { exact: true })
    if (field.ref === 'examination') {
      await box.click()
      await box.fill('公开招聘')
      await desk.page.locator('.ant-select-dropdown:visible').getByText(exam).first().click()
    } else if (field.dict !== undefined) {
      const own = await visitor.ask('/blade-system/dict/dictionary', { code: field.dict })
      const [entry] = own.length > 0 ? own : await visitor.ask('/blade-system/dict-biz/dictionary', { code: field.dict })
      await desk.fill({ [label]: [language === 'en' ? entry.dictValueEn : entry.dictValue] })
    } else if (field.words !== undefined) await desk.fill({ [label]: [Object.values(field.words)[0]?.[language] ?? ''] })
    else if (field.kind === 'int') await desk.fill({ [label]: '3' })
    else if (field.kind === 'bool') await box.click()
    else await desk.fill({ [label]: name === titleFieldOf(noun.fields) ? title : textFor(name, field, `${name}${language}`, 1) })
  }
}

test.each(nouns.flatMap(noun => (['zh', 'en'] as const).map(language => [noun.name, language, noun] as const)))(
  '[20.5] %s in %s: added, found, read, changed and removed on the screen of its declaration',
  async (_, language, noun) => {
    const seat = await sit(noun, language)
    const { desk } = seat
    const words = {
      zh: { add: '新增', view: '查看', edit: '编辑', remove: '删除' },
      en: { add: 'Add', view: 'View', edit: 'Edit', remove: 'Delete' },
    }[language]
    await desk.page.getByRole('heading', { level: 1, name: noun.menu?.label?.[language] ?? noun.label[language] }).waitFor()
    await desk.button(words.add).click()
    const [required] = Object.entries(noun.fields).flatMap(([name, field]) =>
      field.required && field.form !== false && !isChosenAbove(noun, name) ? [field] : [],
    )
    if (required) await desk.refused(new RegExp(required.label[language], 'i'))
    const title = titleOf(noun, language, 1)
    const changed = titleOf(noun, language, 2)
    await fillIn(seat, noun, language, title)
    await desk.done()
    const row = desk.row(title)
    await row.waitFor()
    const listed = Object.entries(noun.fields).filter(([, field]) => field.list !== false)
    // A workbook that comes in again has all columns.
    const sheet = noun.workbook === undefined ? listed.map(([, field]) => field) : Object.values(noun.fields)
    for (const [, field] of listed) {
      if (field.words !== undefined) await row.getByText(Object.values(field.words)[0]?.[language] ?? '', { exact: true }).waitFor()
      if (field.ref === 'examination') await row.getByText(exam).waitFor()
    }
    expect((await desk.book(language === 'zh' ? '导出' : 'Export')).slice(1, 2)).toEqual([sheet.map(field => field.label[language])])
    await desk.find({ [noun.fields[titleFieldOf(noun.fields) ?? '']?.label[language] ?? '']: title })
    await expect.poll(() => desk.page.locator('tbody tr[data-row]').count()).toBe(1)
    await desk.act(row, words.view)
    await desk.window.getByText(title, { exact: true }).waitFor()
    if (noun.within !== undefined) await desk.window.getByText(exam).waitFor()
    await desk.page.keyboard.press('Escape')
    await desk.window.waitFor({ state: 'detached' })
    await desk.act(row, words.edit)
    await desk.fill({ [noun.fields[titleFieldOf(noun.fields) ?? '']?.label[language] ?? '']: changed })
    await desk.done()
    await desk.find({ [noun.fields[titleFieldOf(noun.fields) ?? '']?.label[language] ?? '']: changed })
    await desk.row(changed).waitFor()
    await desk.act(desk.row(changed), words.remove)
    await desk.answer(changed, words.remove)
    await desk.row(changed).waitFor({ state: 'detached' })
  },
)
