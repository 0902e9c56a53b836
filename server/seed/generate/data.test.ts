import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { idCardCheckDigit } from '#contract/person/id-card.ts'
import { parseCsvRecords } from '#kernel/csv.ts'

const folder = new URL('../data/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')
const load = (name: string) => parseCsvRecords(read(`${name}.csv`))

describe('seed data', () => {
  it('names the origin of every file', () => {
    const sources = read('SOURCES.md')
    const files = readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isFile() && entry.name !== 'SOURCES.md')
    expect(files.map(file => file.name).filter(name => !sources.includes(`| ${name} |`))).toEqual([])
  })

  it('has 10,000 common passwords that differ, in lower case, of at least 8 characters', () => {
    const list = read('common-passwords.txt').trimEnd().split('\n')
    expect([list.length, new Set(list).size]).toEqual([10_000, 10_000])
    expect(list.filter(word => word.length < 8 || word.length > 64 || word !== word.toLowerCase() || word !== word.trim())).toEqual([])
    for (const word of ['12345678', 'password123', '1qaz2wsx3edc', 'qwertyuiop', '88888888', 'admin@123', 'woaini1314'])
      expect(list).toContain(word)
  })

  it('agrees with itself: majors, papers and units of the posts exist', () => {
    const majors = new Set(load('majors').map(row => row.code))
    const items = new Set(load('exam-items').map(row => row.科目代码))
    const units = new Map(load('units').map(row => [row.单位代码, row.单位名称]))
    for (const post of load('posts')) {
      const codes = (post['专业代码(分号)'] ?? '').split(';').filter(code => code !== '')
      expect(codes.filter(code => !majors.has(code))).toEqual([])
      expect((post['考试科目代码(逗号)'] ?? '').split(',').filter(code => !items.has(code))).toEqual([])
      expect(units.get(post.招聘单位代码)).toBe(post.招聘单位)
    }
  })

  it('has regions with existing parents', () => {
    const regions = load('regions')
    const codes = new Set(regions.map(row => row.code))
    expect(regions.filter(row => row.level !== '1' && !codes.has(row.parentCode)).map(row => row.code)).toEqual([])
  })

  it('has ordinary people with right check digits only', () => {
    const wrong = load('samples/candidates-60').filter(
      row => row.用例 === '' && row.证件号码 !== undefined && idCardCheckDigit(row.证件号码) !== row.证件号码[17],
    )
    expect(wrong).toEqual([])
  })
})
