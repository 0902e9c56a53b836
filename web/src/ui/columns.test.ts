import { describe, expect, it } from 'vitest'
import { arrange, type ColumnChoice, choiceOf, initialChoice, moved, shownColumns, toggled } from './columns.ts'

const columns = [{ key: 'name' }, { key: 'idCard' }, { key: 'state' }, { key: 'remark', hidden: true }]
const keys = (of: readonly { readonly key: string }[]) => of.map(column => column.key)
const none: ColumnChoice = { hidden: [], order: [] }

describe('column choice', () => {
  it('shows what is declared until somebody chooses', () => {
    expect(keys(shownColumns(columns, initialChoice(columns)))).toEqual(['name', 'idCard', 'state'])
  })
  it('shows, hides and never hides the last one', () => {
    const shown = toggled(columns, initialChoice(columns), 'remark')
    expect(keys(shownColumns(columns, shown))).toEqual(['name', 'idCard', 'state', 'remark'])
    const one = ['name', 'idCard', 'state', 'remark'].reduce((choice, key) => toggled(columns, choice, key), none)
    expect(keys(shownColumns(columns, one))).toEqual(['remark'])
    expect(toggled(columns, one, 'remark')).toEqual(one)
  })
  it('moves a column by one place and stops at the ends', () => {
    const last = moved(columns, moved(columns, none, 'name', 1), 'name', 1)
    expect(keys(arrange(columns, last))).toEqual(['idCard', 'state', 'name', 'remark'])
    expect(moved(columns, last, 'idCard', -1)).toEqual(last)
    expect(moved(columns, none, 'nobody', 1)).toEqual(none)
  })
  it('puts a column of a later version behind its declared neighbour and forgets one that is gone', () => {
    const choice = { hidden: ['gone'], order: ['state', 'gone', 'name', 'remark'] }
    expect(keys(arrange(columns, choice))).toEqual(['state', 'name', 'idCard', 'remark'])
  })
  it('reads only what it wrote', () => {
    expect([choiceOf(null), choiceOf(['name']), choiceOf('x')]).toEqual([null, null, null])
    expect(choiceOf({ hidden: ['a', 1], order: 'b' })).toEqual({ hidden: ['a'], order: [] })
  })
})
