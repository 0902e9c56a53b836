import { describe, expect, test } from 'vitest'
import { beyondOwn, mayHandOut } from './hand-out.ts'
import { isTorn, type KeptRight } from './kept-rights.ts'

const role = (roleAlias: string, ...menuIds: string[]) => ({
  id: '1',
  roleName: roleAlias,
  roleNameEn: '',
  roleAlias,
  menuIds,
  kept: [] as KeptRight[],
})
const granter = (alias: string, ...menuIds: string[]) => ({ aliases: new Set([alias]), menuIds: new Set(menuIds) })

describe('[S6.04] nobody hands out what is not theirs', () => {
  test('a menu that is missing among one’s own is named', () => {
    expect(beyondOwn(new Set(['1', '2']), ['1', '3', '2', '4'])).toEqual(['3', '4'])
    expect(beyondOwn(new Set(['1']), [])).toEqual([])
  })
  test('an ordinary granter hands out parts of their own rights only', () => {
    expect(mayHandOut(granter('desk', '1', '2'), role('helper', '2'))).toBe(true)
    expect(mayHandOut(granter('desk', '1', '2'), role('helper', '2', '3'))).toBe(false)
    expect(mayHandOut(granter('xadmin', '1'), role('helper', '3'))).toBe(false)
  })
  test('who runs a tenant hands out any role of it, the platform’s own only whoever has it', () => {
    expect(mayHandOut(granter('admin', '1'), role('reviewer1', '9'))).toBe(true)
    expect(mayHandOut(granter('admin', '1'), role('admin', '9'))).toBe(true)
    expect(mayHandOut(granter('admin', '1'), role('administrator', '1'))).toBe(false)
    expect(mayHandOut(granter('administrator'), role('administrator', '1'))).toBe(true)
  })
  test('[19.18] administrator, security administrator and auditor do not hand out each other, nor does the platform', () => {
    const three = ['admin', 'secadmin', 'auditor']
    const handed = (alias: string) => three.filter(other => mayHandOut(granter(alias, '9'), role(other, '9')))
    expect([...three, 'administrator', 'desk'].map(handed)).toEqual([['admin'], ['secadmin'], ['auditor'], [], []])
  })
  test('one person holds one of administrator, security administrator and auditor', () => {
    const held = (...aliases: string[]) => isTorn(aliases.map(alias => role(alias)))
    expect(held()).toBe(false)
    expect(held('admin', 'exam_admin')).toBe(false)
    expect(held('admin', 'auditor')).toBe(true)
    expect(held('secadmin', 'finance', 'auditor')).toBe(true)
  })
})

describe('[19.18] rights that are kept apart, in whatever role they lie', () => {
  const trail = { id: 't', who: ['auditor'] }
  const alerts = { id: 'a', who: ['secadmin', 'auditor'] }
  const accounts = { id: 'u', who: ['administrator', 'admin'] }
  const withdraw = { id: 'w', who: ['admin'] }
  const copy = (...kept: KeptRight[]) => ({ ...role('school', ...kept.map(right => right.id)), kept })
  test.each([
    ['admin', [false, false, true, true]],
    ['secadmin', [false, true, false, false]],
    ['auditor', [true, true, false, false]],
    ['administrator', [false, false, true, false]],
  ])('%s hands out a role with what their own role has by the seed, whatever they hold', (alias, expected) => {
    expect([trail, alerts, accounts, withdraw].map(right => mayHandOut(granter(alias, 't', 'a', 'w'), copy(right)))).toEqual(expected)
  })
  test('who was trusted with the running of a tenant passes on what they hold of it, and nothing of the oversight', () => {
    const desk = granter('desk', 't', 'a', 'u', 'w')
    expect([trail, alerts, accounts, withdraw].map(right => mayHandOut(desk, copy(right)))).toEqual([false, false, true, false])
  })
  test('no role and no person joins what no one of them has by the seed', () => {
    expect(isTorn([copy(trail, alerts)])).toBe(false)
    expect(isTorn([copy(accounts, withdraw)])).toBe(false)
    expect(isTorn([copy(trail, accounts)])).toBe(true)
    expect(isTorn([copy(alerts), copy(accounts)])).toBe(true)
    expect(isTorn([role('auditor'), copy(accounts)])).toBe(true)
    expect(isTorn([role('auditor'), copy(alerts)])).toBe(false)
    expect(isTorn([{ ...role('administrator'), kept: [accounts] }, role('secadmin')])).toBe(true)
    expect(isTorn([{ ...role('administrator'), kept: [accounts] }, role('admin')])).toBe(false)
  })
})
