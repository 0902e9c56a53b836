import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkName } from '#contract/person/person-name.ts'
import { parseCsvRecords } from '#kernel/csv.ts'

const file = new URL('../../../../seed/data/awkward-names.csv', import.meta.url)
const rows = parseCsvRecords(readFileSync(file, 'utf8'))

/** What the file's column `expect` means for the rule; `review` = accepted, and a person looks at it. */
const outcome = (name: string) => {
  const result = checkName(name)
  if (!result.ok) return 'reject'
  if (result.needsReview) return 'review'
  if (result.nameRare) return 'accept-flag'
  return result.folded ? 'fold' : 'accept'
}

describe('awkward names', () => {
  it('has all 74 rows', () => expect(rows).toHaveLength(74))

  it.each(rows.map(row => [row.name, row['expect(accept|fold|accept-flag|review|reject)'], row.folded, row.note] as const))(
    '%j is %s (%s, %s)',
    (name, expected, folded) => {
      expect(outcome(name ?? '')).toBe(expected)
      const result = checkName(name ?? '')
      if (result.ok) expect(result.name).toBe(folded)
    },
  )
})
