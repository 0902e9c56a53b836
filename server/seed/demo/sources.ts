import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseCsv, parseCsvRecords } from '#kernel/csv.ts'
import type { CandidateSources } from '../generate/candidates.ts'

type Record_ = Readonly<Record<string, string>>

export const seedFile = (name: string): string => fileURLToPath(new URL(`../data/${name}`, import.meta.url))
const text = (name: string): string => readFileSync(seedFile(`${name}.csv`), 'utf8')
const records = (name: string): Record_[] => parseCsvRecords(text(name))

export interface MajorEntry {
  readonly code: string
  readonly name: string
  readonly level: string
}

/** The files of `seed/data` that a demo is made from. */
export interface DemoSources extends CandidateSources {
  readonly postSheet: { readonly header: readonly string[]; readonly rows: readonly (readonly string[])[] }
  readonly papers: readonly Record_[]
  readonly units: readonly Record_[]
  readonly majorsByCode: ReadonlyMap<string, readonly MajorEntry[]>
  readonly majorCodeByName: ReadonlyMap<string, string>
  readonly schoolCodeByName: ReadonlyMap<string, string>
  /** Code by `province|city|county` as the generator names them. */
  readonly regionByNames: ReadonlyMap<string, string>
}

export const readDemoSources = (): DemoSources => {
  const [header = [], ...rows] = parseCsv(text('posts'))
  const regions = records('regions')
  const nameOf = new Map(regions.map(region => [region['code'] ?? '', region]))
  const regionByNames = new Map<string, string>()
  for (const region of regions) {
    if (region['level'] !== '3') continue
    const parent = nameOf.get(region['parentCode'] ?? '')
    const province = nameOf.get(`${(region['code'] ?? '').slice(0, 2)}0000`)
    const city = parent?.['level'] === '2' ? (parent['name'] ?? '') : ''
    regionByNames.set(`${province?.['name']}|${city}|${region['name']}`, region['code'] ?? '')
  }
  const majors = records('majors')
  const majorsByCode = new Map<string, MajorEntry[]>()
  for (const { code = '', name = '', level = '' } of majors)
    majorsByCode.set(code, [...(majorsByCode.get(code) ?? []), { code, name, level }])
  const schools = records('schools')
  return {
    posts: records('posts'),
    schools,
    majors,
    familyNames: records('family-names'),
    givenNames: records('given-names'),
    awkwardNames: records('awkward-names'),
    nations: records('nations'),
    political: records('political'),
    regions,
    formerRegions: records('regions-former'),
    postSheet: { header, rows },
    papers: records('exam-items'),
    units: records('units'),
    majorsByCode,
    majorCodeByName: new Map(majors.map(major => [major['name'] ?? '', major['code'] ?? ''])),
    schoolCodeByName: new Map(schools.map(school => [school['院校名称'] ?? '', school['院校标识码'] ?? ''])),
    regionByNames,
  }
}
