import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkIdCard } from '#contract/person/id-card.ts'
import { parseCsvRecords } from '#kernel/csv.ts'
import { generateCandidates } from './candidates.ts'

const load = (name: string) => parseCsvRecords(readFileSync(new URL(`../data/${name}.csv`, import.meta.url), 'utf8'))
const sources = {
  posts: load('posts'),
  schools: load('schools'),
  majors: load('majors'),
  familyNames: load('family-names'),
  givenNames: load('given-names'),
  awkwardNames: load('awkward-names'),
  nations: load('nations'),
  political: load('political'),
  regions: load('regions'),
  formerRegions: load('regions-former'),
}

describe('made-up candidates', () => {
  it('are the sample of 60 for seed 3 with 40 % awkward', () => {
    const made = generateCandidates(sources, { count: 60, seed: 3, awkward: 0.4 })
    expect(made.map(person => Object.values(person))).toEqual(
      load('samples/candidates-60').map(row => {
        const { 备注: _remark, ...cells } = row
        return Object.values(cells)
      }),
    )
  })

  it('are ordinary people with valid numbers when nothing awkward is wanted', () => {
    const made = generateCandidates(sources, { count: 300, seed: 7, awkward: 0 })
    expect(made.map(person => checkIdCard(person.idCard, '2026-03-16').ok)).toEqual(made.map(() => true))
    expect(new Set(made.map(person => person.idCard)).size).toBe(300)
    expect(new Set(made.map(person => person.phone)).size).toBe(300)
  })
})
