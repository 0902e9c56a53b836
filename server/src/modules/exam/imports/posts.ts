import { refuseExam } from '#contract/exam/exam.errors.ts'
import { examImports } from '#contract/exam/import-kinds.ts'
import type { Label } from '#contract/kernel/label.ts'
import { TITLES } from '#contract/signup/conditions.ts'
import { Refused } from '#kernel/http/context.ts'
import type { SheetBook, SheetColumn } from '#kernel/sheet/write-sheet.ts'
import { readDictionaries } from '#modules/reference/index.ts'
import type { ImportDefinition } from '#modules/transfer/index.ts'
import { columnLetter, explanationSheet, headerKey, templateColumn } from '#modules/transfer/index.ts'
import { isOffice, stateLabel } from '../commands/exam-guard.ts'
import { lockReleasable } from '../commands/release-problems.ts'
import { findExam } from '../data/exam.repo.ts'
import { addChanges } from '../data/exam-write.repo.ts'
import { listPapers } from '../data/paper.repo.ts'
import { listPosts } from '../data/post.repo.ts'
import { addUnits, knownUnits, upsertPosts } from '../data/post-write.repo.ts'
import { type PostColumn, type PostInput, postColumns, readPostSheet } from '../domain/post-sheet.ts'
import { majorCatalogue } from './major-catalogue.ts'

const text = (zh: string, en: string): Label => ({ zh, en })
const widths: Partial<Record<PostColumn, number>> = {
  majorText: 40,
  majorCodes: 24,
  otherText: 40,
  remark: 24,
  unitName: 20,
  codeName: 18,
  ageText: 24,
}
/** One row that passes the check, beside the explanations. */
const sample: Partial<Record<PostColumn, string>> = {
  sort: '1',
  competentDept: '某区卫生健康局',
  unit: 'H01',
  unitName: '区人民医院',
  type: 'A',
  typeName: '医疗',
  code: 'A001',
  codeName: '内科医师',
  planNum: '2',
  openRatio: '3',
  itemCodes: '01',
  bornFrom: '1990-03-16',
  ageText: '35周岁以下(1990年3月16日以后出生)',
  sex: '不限',
  educations: '本科及以上',
  degrees: '学士及以上',
  majorText: '本科：临床医学',
  majorCodes: '100201K',
  fresh: '不限',
  political: '不限',
  cert: '执业医师',
  fee: '100',
  phone: '0000-88010037',
}
const notes: Partial<Record<PostColumn, Label>> = {
  unit: text('单位编码表中的代码，未登记的代码将新建', 'A code of the unit list; unknown codes are created'),
  type: text('岗位类别字典 A–G', 'Category A–G'),
  code: text(
    '同一考试内唯一；报名开始前重新导入时按此代码替换',
    'Unique in the examination; importing again before sign-up replaces by this code',
  ),
  planNum: text('1–999 的整数', 'A whole number, 1–999'),
  openRatio: text('如 3 表示 1:3，空为考试的开考比例，0 为不设', '3 means 1:3; empty takes the examination’s, 0 means none'),
  maxSign: text('空或 0 为不限', 'Empty or 0 means no cap'),
  itemCodes: text('多个科目用逗号分隔，空为全部', 'Divided by commas; empty means all'),
  bornFrom: text('YYYY-MM-DD，含当日', 'YYYY-MM-DD, the day included'),
  bornTo: text('YYYY-MM-DD，含当日', 'YYYY-MM-DD, the day included'),
  majorCodes: text('专业目录代码，多个用分号分隔', 'Codes of the catalogue, divided by semicolons'),
  hukou: text('6 位行政区划代码(分号分隔)可自动核对，其他文字由人工审核', 'Region codes are compared by program, other texts by a person'),
  fee: text(
    '元，最多两位小数；按岗位收费的考试必填，免费填 0',
    'Yuan, at most two decimals; needed where posts are charged for, 0 when free',
  ),
}

/** Template T1: the post table of an examination. */
export const postImport: ImportDefinition<PostInput> = {
  ...examImports.posts,
  columns: postColumns,
  guard: async (db, { job }) => {
    const exam = await lockReleasable(db, job.examId ?? '0')
    if (!exam) return refuseExam('exam/no-exam', {})
    if (exam.state !== 'closed' && exam.state !== 'archived') return undefined
    return refuseExam('exam/read-only', { state: stateLabel(exam.state) })
  },
  check: async (db, sheet, { job, now }) => {
    const exam = await findExam(db, job.examId ?? '0')
    if (!exam) throw new Refused(refuseExam('exam/no-exam', {}))
    const dictionaries = await readDictionaries(db, ['post_type', 'political', 'cert'])
    const read = readPostSheet(sheet.header, sheet.rows, {
      units: new Map((await knownUnits(db)).map(unit => [unit.code, unit.name])),
      types: new Map((dictionaries['post_type'] ?? []).map(entry => [entry.key, entry.zh])),
      posts: new Set((await listPosts(db, exam.id)).map(post => post.code)),
      itemCodes: new Set((await listPapers(db, exam.id)).map(paper => paper.itemCode)),
      majors: majorCatalogue(),
      political: new Map((dictionaries['political'] ?? []).map(entry => [entry.zh, entry.key])),
      certs: new Set((dictionaries['cert'] ?? []).map(entry => entry.key)),
      chargesByPost: exam.feeMode === 3,
    })
    const hasBegun = exam.state === 'released' && exam.signBegin !== null && exam.signBegin <= now
    if (!hasBegun) return read
    // Candidates may have chosen what stands there; from the beginning of sign-up posts are changed one by one, with a reason.
    const known = new Set((await listPosts(db, exam.id)).map(post => post.code))
    const codeAt = sheet.header.findIndex(cell => headerKey(cell) === headerKey(postColumns.code.header))
    const taken = read.rows
      .filter(({ value }) => known.has(value.code))
      .map(({ row, value }) => ({
        row,
        column: columnLetter(codeAt),
        header: headerKey(postColumns.code.header),
        value: value.code,
        code: 'frozen',
        reason: text('报名已开始，不能用导入替换已有岗位', 'Sign-up has begun; an existing post is not replaced by import'),
      }))
    const wrong = new Set(taken.map(error => error.row))
    return {
      ...read,
      rows: read.rows.filter(({ row }) => !wrong.has(row)),
      errors: [...read.errors, ...taken].sort((a, b) => a.row - b.row),
    }
  },
  write: async (db, rows, { job, progress }) => {
    const posts = rows.map(({ value }) => value)
    await addUnits(db, posts)
    const counts = await upsertPosts(db, job.examId ?? '0', posts, progress)
    const exam = await findExam(db, job.examId ?? '0')
    if (exam && exam.state !== 'draft')
      await addChanges(db, exam.id, [
        {
          zh: `导入岗位表：新增 ${counts.inserted} 个，修改 ${counts.updated} 个岗位`,
          en: `Post table imported: ${counts.inserted} posts added, ${counts.updated} changed`,
        },
      ])
    return { ...counts, skipped: 0 }
  },
  template: async (db, { examId, ctx }): Promise<SheetBook | ReturnType<typeof refuseExam>> => {
    const exam = examId === undefined ? undefined : await findExam(db, examId)
    if (examId !== undefined && (!exam || (exam.state === 'draft' && ctx.session && !isOffice(ctx)))) return refuseExam('exam/no-exam', {})
    const dictionaries = await readDictionaries(db, ['post_type', 'education', 'degree', 'cert'])
    const atLeast = (code: string) => ['不限', ...(dictionaries[code] ?? []).map(entry => `${entry.zh}及以上`)]
    const choices: Partial<Record<PostColumn, readonly string[]>> = {
      type: (dictionaries['post_type'] ?? []).map(entry => entry.key),
      sex: ['不限', '男', '女'],
      educations: atLeast('education'),
      degrees: atLeast('degree').filter(label => !label.startsWith('无')),
      fresh: ['不限', '应届', '往届'],
      cert: ['不限', ...(dictionaries['cert'] ?? []).map(entry => entry.key)],
      title: ['不限', ...TITLES.map(title => `${title}及以上`)],
    }
    const columns = Object.entries(postColumns) as [PostColumn, (typeof postColumns)[PostColumn]][]
    return {
      sheets: [
        {
          name: ctx.say(text('岗位表', 'Posts')),
          columns: columns.map(
            ([key, spec]): SheetColumn =>
              templateColumn(ctx.say, spec, {
                ...(notes[key] ? { note: notes[key] } : {}),
                ...(sample[key] ? { sample: sample[key] } : {}),
                ...(widths[key] ? { width: widths[key] } : {}),
                ...(choices[key] ? { choices: choices[key] } : {}),
              }),
          ),
          rows: [],
        },
        {
          name: ctx.say(explanationSheet),
          columns: [
            { header: ctx.say(text('列', 'Column')), width: 24 },
            { header: ctx.say(text('必填', 'Required')), width: 10 },
            { header: ctx.say(text('说明', 'Meaning')), width: 60 },
            { header: ctx.say(text('示例', 'Sample')), width: 36 },
          ],
          rows: columns.map(([key, { header, required }]) => [
            header,
            required ? ctx.say(text('是', 'yes')) : '',
            ctx.say(notes[key] ?? text('', '')),
            sample[key] ?? '',
          ]),
        },
      ],
    }
  },
}
