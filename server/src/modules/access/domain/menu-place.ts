import { menuLevels, menuPathProblem } from '#contract/access/menu.ts'
import type { Label } from '#contract/kernel/label.ts'

interface Placed {
  readonly id: string
  readonly parentId: string
  readonly category: number
  readonly name: string
  readonly code: string
  readonly path: string
  readonly isSystem: number
}
export interface MenuWish extends Omit<Placed, 'id' | 'isSystem'> {
  /** Absent for a new one. */
  readonly id?: string
}
export interface MenuProblem {
  readonly field: string
  readonly text: Label
}

const problem = (field: string, zh: string, en: string): MenuProblem => ({ field, text: { zh, en } })

/** What is wrong with a menu at this place among all others; undefined when it may be written. */
export const menuProblem = (wish: MenuWish, all: readonly Placed[]): MenuProblem | undefined => {
  const byId = new Map(all.map(item => [item.id, item]))
  const before = wish.id === undefined ? undefined : byId.get(wish.id)
  const below = all.filter(item => item.parentId === wish.id)
  if (before?.isSystem === 1 && before.code !== wish.code)
    return problem('code', '这是程序自带的菜单，编号不能修改', 'This menu is part of the program; its code stays as it is')
  if (before && before.category !== wish.category && (before.isSystem === 1 || below.length > 0))
    return problem(
      'category',
      '程序自带或有下级的菜单不能改变类型',
      'The kind of a menu of the program, or of one with others below it, stays as it is',
    )
  // Its screen stands at this path and nowhere else; the one of menus would be gone with its own way back.
  if (before?.isSystem === 1 && before.path !== wish.path)
    return problem('path', '这是程序自带的菜单，路由地址不能修改', 'This menu is part of the program; its path stays as it is')
  const parent = wish.parentId === '0' ? undefined : byId.get(wish.parentId)
  if (wish.parentId !== '0' && parent === undefined) return problem('parentId', '上级菜单不存在', 'There is no such parent')
  if (parent?.category === 2) return problem('parentId', '按钮下面不能再有菜单', 'Nothing can stand below a button')
  if (parent === undefined && wish.category === 2)
    return problem('parentId', '请选择按钮所属的菜单', 'Please select the menu of the button')
  let above = 0
  for (let at = parent; at; at = byId.get(at.parentId)) {
    if (at.id === wish.id) return problem('parentId', '不能移到自己的下级', 'A menu cannot be moved below itself')
    above += 1
  }
  const depthOf = (id: string | undefined): number =>
    Math.max(0, ...all.filter(item => id !== undefined && item.parentId === id && item.category === 1).map(item => 1 + depthOf(item.id)))
  if (wish.category === 1 && above + 1 + depthOf(wish.id) > menuLevels)
    return problem('parentId', `菜单最多 ${menuLevels} 级`, `Menus have at most ${menuLevels} levels`)
  if (all.some(item => item.id !== wish.id && item.code === wish.code))
    return problem('code', `菜单编号 ${wish.code} 已存在`, `The code ${wish.code} exists already`)
  if (all.some(item => item.id !== wish.id && item.parentId === wish.parentId && item.name === wish.name))
    return problem('name', `同级已有名称 ${wish.name}`, `The name ${wish.name} exists already at this place`)
  if (wish.category === 2) return undefined
  if (wish.path === '') return problem('path', '请输入路由地址', 'Please enter the path')
  const shape = menuPathProblem(wish.path)
  if (shape) return { field: 'path', text: shape }
  const taken = all.find(item => item.id !== wish.id && item.category === 1 && item.path === wish.path)
  return taken && problem('path', `路由地址已用于 ${taken.name}`, `The path is used by ${taken.code}`)
}

/** What keeps these from being removed: a menu of the program, or something below that would stay; undefined when nothing does. */
export const menuRemoval = (ids: readonly string[], all: readonly Placed[]): Label | undefined => {
  const wanted = all.filter(item => ids.includes(item.id))
  const own = wanted.find(item => item.isSystem === 1)
  if (own) return { zh: `${own.name} 是程序自带的菜单`, en: `${own.code} is part of the program` }
  const holder = wanted.find(item => all.some(child => child.parentId === item.id && !ids.includes(child.id)))
  const left = all.filter(child => child.parentId === holder?.id && !ids.includes(child.id)).length
  return holder && { zh: `${holder.name} 还有 ${left} 个下级`, en: `${holder.code} has ${left} below it` }
}
