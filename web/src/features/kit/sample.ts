import type { Lang } from '#web/kernel/i18n/index.ts'
import type { ExportJob } from '#web/resource/export-jobs.ts'
import type { ImportResult } from '#web/resource/import-result.ts'
import type { PageOf } from '#web/resource/page-of.ts'

/** Invented people and units: this page shows how parts look and behave, it stores nothing. */
export interface SamplePerson {
  readonly id: string
  readonly unitId: string
  readonly name: string
  readonly idCard: string
  readonly fullIdCard: string
  readonly post: string
  readonly state: number
  readonly score: string | null
  readonly amount: number
  readonly time: string
  readonly remark: string
}
export interface SampleUnit {
  readonly id: string
  readonly parentId: string | null
  readonly name: string
  readonly code: string
  readonly people: number
}

const surnames = [...'赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨']
const given = ['晓雨', '明轩', '子涵', '佳音', '文博', '思远', '雨桐', '俊杰', '欣怡', '浩然', '静', '磊']
const posts = ['内科医师', '外科医师', '护理', '检验技师', '药剂师', '公共卫生医师（流行病学与卫生统计方向，需值夜班）']
const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T
const two = (number: number): string => String(number).padStart(2, '0')

export const makePeople = (count: number): readonly SamplePerson[] =>
  Array.from({ length: count }, (_, index) => {
    const day = `${1980 + (index % 20)}${two(1 + (index % 12))}${two(1 + (index % 28))}`
    const tail = String(1000 + index).slice(-4)
    return {
      id: String(9_000_000 + index),
      unitId: String(1 + (index % 12)),
      name: at(surnames, index * 7) + at(given, index * 5),
      idCard: `330106********${tail}`,
      fullIdCard: `330106${day}${tail}`,
      post: at(posts, index * 3),
      state: index % 6,
      score: index % 4 === 3 ? null : (40 + ((index * 37) % 600) / 10).toFixed(1),
      amount: 4_500 + (index % 5) * 5_000,
      time: `2026-11-${two(1 + (index % 28))} ${two(8 + (index % 10))}:${two(index % 60)}:00`,
      remark: index % 3 === 0 ? '' : '材料齐全，已与原件核对',
    }
  })

export const people: readonly SamplePerson[] = makePeople(137)

export const units: readonly SampleUnit[] = Array.from({ length: 12 }, (_, index) => ({
  id: String(index + 1),
  parentId: index < 3 ? null : String(1 + ((index - 3) % 3)),
  name: at(
    ['区人民医院', '区中医院', '疾控中心', '城东社区卫生服务中心', '城西社区卫生服务中心', '妇幼保健院', '急救站', '血站', '门诊部'],
    index,
  ),
  code: `HZ${two(index + 1)}`,
  people: people.filter(person => person.unitId === String(index + 1)).length,
}))

/** How a server would page, search and sort these rows. `…Time_datege` and the like are not needed here. */
export const pageOf = <Row extends object>(rows: readonly Row[], query: Readonly<Record<string, string | number>>): PageOf<Row> => {
  const { current = 1, size = 10, ascs, descs, ...filters } = query
  const textOf = (row: Row, key: string) => String((row as Record<string, unknown>)[key] ?? '')
  const found = rows.filter(row => Object.entries(filters).every(([key, value]) => textOf(row, key).includes(String(value))))
  const by = String(ascs ?? descs ?? '')
  const sorted =
    by === '' ? found : found.toSorted((a, b) => textOf(a, by).localeCompare(textOf(b, by), 'zh') * (descs === undefined ? 1 : -1))
  const from = (Number(current) - 1) * Number(size)
  return { records: sorted.slice(from, from + Number(size)), total: found.length }
}

const noRun = { done: 0, inserted: 0, updated: 0, skipped: 0, errors: [], warnings: [], errorFileUrl: null, problem: null }
const said = {
  zh: {
    count: '招聘人数: 必须是大于 0 的整数',
    id: '证件号: 校验码不正确',
    twice: '与第 12 行重复',
    ignored: '未识别的列，已忽略: 备注2',
    missing: '缺少列: 招聘人数',
  },
  en: {
    count: 'Places: must be a whole number above 0',
    id: 'Id number: the check digit is wrong',
    twice: 'the same as row 12',
    ignored: 'Unknown column, ignored: remark2',
    missing: 'The column is missing: places',
  },
}
type Step = 'checking' | 'wrong' | 'clean' | 'writing' | 'done' | 'failed' | 'cancelled'
/** What a server says at each step of an import, in the reader's language. */
export const importsOf = (lang: Lang): Readonly<Partial<Record<string, ImportResult>>> & Readonly<Record<Step, ImportResult>> => ({
  checking: { ...noRun, importId: '1', state: 1, total: 12_000, done: 4_500, ok: 0, failed: 0 },
  wrong: {
    ...noRun,
    importId: '1',
    state: 2,
    total: 20,
    ok: 17,
    failed: 3,
    errors: [
      { row: 4, column: 'J', header: '招聘人数', value: '若干', reason: said[lang].count },
      { row: 9, column: 'C', header: '证件号', value: '3301**********0028', reason: said[lang].id },
      { row: 15, column: '', header: '', value: '', reason: said[lang].twice },
    ],
    warnings: [{ row: 1, reason: said[lang].ignored }],
  },
  clean: { ...noRun, importId: '1', state: 2, total: 144, ok: 144, failed: 0 },
  writing: { ...noRun, importId: '1', state: 3, total: 12_000, done: 9_000, ok: 12_000, failed: 0 },
  done: { ...noRun, importId: '1', state: 4, total: 144, ok: 144, failed: 0, inserted: 140, updated: 4 },
  failed: { ...noRun, importId: '1', state: 5, total: 20, ok: 0, failed: 0, problem: said[lang].missing },
  cancelled: { ...noRun, importId: '1', state: 6, total: 12_000, ok: 0, failed: 0 },
})

export const exportJobs: readonly ExportJob[] = [0, 3, 4, 5, 6, 7].map(state => ({
  id: String(state),
  fileName: 'HZ2026A_报名信息_20260317100000.xlsx',
  state,
  total: 12_034,
  done: state === 3 ? 4_000 : state === 4 ? 12_034 : 0,
  sizeBytes: state === 4 ? 1_840_000 : null,
  createTime: `2026-11-20 1${state}:00:00`,
  expireTime: state === 4 ? '2026-11-21 14:00:00' : null,
  problem: state === 5 ? '系统错误' : null,
}))
