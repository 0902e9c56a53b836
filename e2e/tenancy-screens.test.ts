import { expect, test } from 'vitest'
import { workbook } from '../server/test/support/workbook.ts'
import { type Seat, sitAt } from './support/screen.ts'
import { openConsole, ownServer } from './support/shell.ts'

// What an operator of the platform and an administrator of a tenant set up before anybody works: tenants, packages, clients, top menus, scopes.

const office = openConsole(
  [
    { account: 'admin1', realName: '赵管理', roles: ['admin'] },
    { account: 'operator1', realName: '钱平台', roles: ['administrator'] },
  ],
  ownServer,
)
const sit = (account: string, path: string): Promise<Seat> => sitAt(office, account, path)

test('[S7.15][S2.47][S5.19][S6.05] packages: both required parts are asked for, menus are ticked as a tree, a package in use stays', async () => {
  const { visitor, desk } = await sit('operator1', '/system/tenant-package')
  const { page, row, window } = desk
  await desk.button('新增').click()
  await desk.refused('请输入产品包名称')
  await window.getByText('请选择菜单').first().waitFor()
  await desk.fill({ 套餐名称: '县级基础版' })
  const box = (name: string) => window.getByRole('checkbox', { name, exact: true })
  await window.getByRole('button', { name: '全选' }).click()
  expect(await box('考试管理').isChecked()).toBe(true)
  await window.getByRole('button', { name: '反选' }).click()
  expect(await box('考试管理').isChecked()).toBe(false)
  // Linked: what is above a menu comes with it. Not linked: it stands alone.
  await box('岗位代码').check()
  expect(await box('考试管理').evaluate(element => (element as unknown as { checked: boolean }).checked)).toBe(true)
  await box('上下级联动').uncheck()
  await box('缴费').check()
  await window.getByText('已选 3 项').waitFor()
  await desk.done()
  const { records } = await visitor.ask('/blade-system/tenant-package/list', { packageName: '县级基础版' })
  expect(records[0].menuId.split(',')).toHaveLength(3)

  await desk.find({ 套餐名称: '县级' })
  await desk.act(row('县级基础版'), '编辑')
  await box('考试管理').waitFor()
  await desk.fill({ 备注: '不含缴费对账' })
  await desk.done()
  await row('不含缴费对账').waitFor()
  // There is no button to view (S6.05): the name opens the window to read.
  expect(await row('县级基础版').getByRole('button', { name: '查看' }).count()).toBe(0)
  await desk.button('县级基础版').click()
  await window.getByText('岗位代码').waitFor()
  await page.keyboard.press('Escape')
  await window.waitFor({ state: 'detached' })
  expect((await desk.book()).flat()).toContain('县级基础版')
  await desk.button('批量删除').press('Enter')
  await desk.said('请选择至少一条数据')
  await desk.tick(row('县级基础版'))
  await desk.button('批量删除').click()
  await desk.answer(/^确定将选择数据删除\?\s*县级基础版$/, '取消')
  await window.waitFor({ state: 'detached' })
  await row('县级基础版').waitFor()
})

test('[S2.47] a press on save counts although what the window was waiting for pushed the button away under it', async () => {
  const { visitor, desk } = await sit('operator1', '/system/tenant-package')
  const { page, window } = desk
  const menus = Promise.withResolvers<void>()
  await page.route('**/menu/tree*', async route => {
    await menus.promise
    await route.continue()
  })
  await desk.button('新增').click()
  const save = window.getByRole('button', { name: '保存', exact: true })
  const at = async () => (await save.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await expect.poll(() => window.getByLabel('套餐名称').evaluate(box => box === box.ownerDocument.activeElement)).toBe(true)
  const before = await at()
  await page.mouse.move(before.x + before.width / 2, before.y + before.height / 2)
  await page.mouse.down()
  menus.resolve()
  await window.getByRole('checkbox', { name: '考试管理', exact: true }).waitFor()
  await expect.poll(async () => (await at()).y - before.y).toBeGreaterThan(before.height)
  await page.mouse.up()
  await window.getByText('请选择菜单').first().waitFor()
  // Whoever thinks better of it and moves away has pressed nothing.
  await page.keyboard.press('Escape')
  await window.waitFor({ state: 'detached' })
  await desk.button('新增').click()
  await window.getByRole('checkbox', { name: '考试管理', exact: true }).waitFor()
  const again = await at()
  await page.mouse.move(again.x + again.width / 2, again.y + again.height / 2)
  await page.mouse.down()
  await page.mouse.move(again.x - 200, again.y, { steps: 5 })
  await page.mouse.up()
  await window.getByText('请输入产品包名称').waitFor()
  expect(await window.getByText('请选择菜单').count()).toBe(0)
  expect(visitor.troubles()).toEqual([])
})

test('[S7.16][S1.03] tenants: one form makes one, its first password is shown once; quota, package, recycle bin, restore, deletion for good', async () => {
  const { visitor, desk } = await sit('operator1', '/system/tenant')
  const { page, row, window } = desk
  const listed = async (status: 1 | -1) =>
    (await visitor.ask('/blade-system/tenant/list', { tenantName: '临江', status_equal: status })).records
  await desk.button('新增').click()
  await desk.fill({ 租户名称: '临江区卫健局', 域名地址: 'http://临江' })
  // What is missing on the first tab is said there, and nothing typed is lost.
  await desk.refused('请输入联系人')
  await window
    .getByText(/域名地址.*格式/)
    .first()
    .waitFor()
  await desk.fill({ 联系人: '吴主任', 域名地址: 'linjiang.example.cn' })
  await desk.refused('请输入管理员账号')
  await desk.fill({ 管理员账号: 'linjiang', 管理员姓名: '吴敏', 账号额度: '5' })
  await window.getByRole('button', { name: '保存', exact: true }).click()
  const made = page.getByRole('dialog', { name: '租户已建立' })
  await made.getByText('密码只显示这一次').waitFor()
  const password = await made.locator('dd').last().innerText()
  expect(password.length).toBeGreaterThanOrEqual(12)
  await made.getByRole('button', { name: '关闭' }).last().click()
  await made.waitFor({ state: 'detached' })
  expect(await page.getByText(password).count()).toBe(0)
  expect(await listed(1)).toMatchObject([{ tenantName: '临江区卫健局', linkman: '吴主任', accountNumber: 5, accountCount: 1 }])

  const [{ tenantId }] = await listed(1)
  await desk.find({ 租户编号: tenantId })
  const own = row('临江区卫健局')
  await own.waitFor()
  await expect.poll(() => page.locator('tbody tr[data-row]').count()).toBe(1)
  // Whoever searches for a tenant still logs in to their own.
  expect(await page.evaluate("localStorage.getItem('kaopu-tenant')")).toBe('"000000"')
  await desk.act(own, '编辑')
  await desk.fill({ 联系电话: '0571-88010037' })
  await desk.done()
  await desk.tick(own)
  await desk.button('授权配置').click()
  await desk.fill({ 账号额度: '0' })
  await desk.refused(/账号额度/)
  await desk.fill({ 账号额度: '8' })
  await desk.done()
  await own.getByText('1 / 8').waitFor()
  await desk.act(own, '套餐配置')
  await desk.fill({ 租户套餐: ['县级基础版'] })
  await desk.done()
  await own.getByText('县级基础版').waitFor()
  await visitor.open('/system/tenant-package')
  await desk.act(row('县级基础版'), '删除')
  visitor.expectRefusal(409)
  await desk.answer('县级基础版', '删除')
  await desk.said('临江区卫健局')

  await visitor.open('/system/tenant')
  await desk.find({ 租户编号: tenantId })
  expect((await desk.book()).flat()).toContain('临江区卫健局')
  await desk.act(own, '移入回收站')
  await desk.answer(/所有人立即退出且不能登录.*临江区卫健局/s, '移入回收站')
  await own.waitFor({ state: 'detached' })
  expect([await listed(1), (await listed(-1)).length]).toEqual([[], 1])
  const bin = async () => {
    await page.getByLabel('范围').selectOption({ label: '回收站' })
    await own.waitFor()
  }
  await bin()
  await desk.act(own, '恢复')
  await desk.answer(/其用户可以重新登录/, '恢复')
  await own.waitFor({ state: 'detached' })
  expect(await listed(1)).toHaveLength(1)
  await page.getByLabel('范围').selectOption({ label: '在用租户' })
  await desk.tick(own)
  await desk.button('移入回收站').click()
  await desk.answer('临江区卫健局', '移入回收站')
  await own.waitFor({ state: 'detached' })
  await bin()
  await desk.button('彻底删除').first().press('Enter')
  await desk.said('请选择至少一条数据')
  await desk.tick(own)
  await desk.button('彻底删除').first().click()
  await desk.answer(/删除后不能恢复.*临江区卫健局/s, '彻底删除')
  await own.waitFor({ state: 'detached' })
  expect([await listed(1), await listed(-1)]).toEqual([[], []])
  // Nothing uses the package any more.
  await visitor.open('/system/tenant-package')
  await desk.act(row('县级基础版'), '删除')
  await desk.answer('县级基础版', '删除')
  await row('县级基础版').waitFor({ state: 'detached' })
})

test('[S7.15] clients: grants are ticked, the secret is shown once and renewed after a question, the program’s own client stays', async () => {
  const { visitor, desk } = await sit('operator1', '/system/client')
  const { page, row, window } = desk
  await desk.button('新增').click()
  await desk.fill({ 客户端编号: '9bad', 客户端名称: '对接平台', 令牌有效秒数: '5' })
  await desk.refused('请选择授权类型')
  await window
    .getByText(/客户端编号.*格式/)
    .first()
    .waitFor()
  await window
    .getByText(/令牌有效秒数.*60/)
    .first()
    .waitFor()
  await desk.fill({ 客户端编号: 'peer-office', 令牌有效秒数: '600' })
  await window.getByRole('checkbox', { name: '单点登录' }).check()
  await desk.done()
  const own = row('peer-office')
  await own.getByText('未设置').waitFor()
  const secret = async (): Promise<string> => {
    const shown = page.getByRole('dialog', { name: '客户端密钥' })
    await shown.getByText('密钥只显示这一次').waitFor()
    const text = await shown.locator('dd').last().innerText()
    await shown.getByRole('button', { name: '关闭' }).last().click()
    await shown.waitFor({ state: 'detached' })
    return text
  }
  await desk.act(own, '生成密钥')
  const first = await secret()
  await own.getByText('已设置').waitFor()
  await desk.act(own, '更换密钥')
  await desk.answer('更换“对接平台”的密钥？原密钥立即失效。', '更换密钥')
  expect(await secret()).not.toBe(first)
  // A long noun is read under its headings and written in tabs of the same names.
  await desk.act(own, '查看')
  await window.getByRole('heading', { level: 3 }).first().waitFor()
  expect(await window.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual(['基本信息', '框架字段'])
  await page.keyboard.press('Escape')
  await window.waitFor({ state: 'detached' })
  await desk.act(own, '编辑')
  expect(await window.getByLabel('客户端编号').isDisabled()).toBe(true)
  expect(await window.getByRole('tab').allInnerTexts()).toEqual(['基本信息', '框架字段'])
  await window.getByRole('tab', { name: '框架字段' }).click()
  expect(await window.getByLabel('授权范围').inputValue()).toBe('all')
  await window.getByRole('tab', { name: '基本信息' }).click()
  await desk.fill({ 客户端名称: '对接平台二期' })
  await desk.done()
  await row('对接平台二期').waitFor()
  const book = (await desk.book()).flat()
  expect([book.includes('peer-office'), book.includes(first)]).toEqual([true, false])
  await desk.tick(row('kaopu-web'))
  await desk.button('批量删除').click()
  // Said before anything is asked or sent; its row does not offer it at all.
  await desk.said('平台自己的客户端不能删除')
  expect(await row('kaopu-web').getByRole('button', { name: '删除' }).count()).toBe(0)
  await row('kaopu-web').waitFor()
  await desk.act(own, '删除')
  await desk.answer(/^确定将选择数据删除\?\s*对接平台二期$/, '删除')
  await own.waitFor({ state: 'detached' })
  expect(await visitor.ask('/blade-system/client/list', { clientId: 'peer-office' })).toMatchObject({ total: 0 })
})

test('[S7.15][S2.39][S7.20] top menus: one is made, gets its menus, stands in the header of whoever may see them, and goes again', async () => {
  const { visitor, desk } = await sit('admin1', '/system/topmenu')
  const { page, row, window } = desk
  await desk.button('新增').click()
  await desk.fill({ 菜单编号: 'people', 菜单名称: '人员', 排序: '8' })
  await desk.refused('请输入英文名称')
  await desk.fill({ 英文名称: 'People', 图标: 'people' })
  await desk.done()
  const own = row('people')
  await desk.act(own, '菜单配置')
  await window.getByRole('checkbox', { name: '用户管理', exact: true }).check()
  await desk.done()
  const tops = (await visitor.ask('/blade-system/topmenu/list', { current: 1, size: 50 })).records
  const { id } = tops.find((top: { code: string }) => top.code === 'people')
  expect((await visitor.ask('/blade-system/menu/top-tree-keys', { topMenuIds: id })).menu.length).toBeGreaterThan(0)
  await desk.act(own, '编辑')
  await desk.fill({ 菜单名称: '人员组织' })
  await desk.done()
  await page.reload()
  await page.getByRole('banner').getByText('人员组织').first().click()
  const side = page.getByRole('navigation').filter({ hasText: '用户管理' }).first()
  await side.waitFor()
  expect(await side.getByText('考试列表').count()).toBe(0)
  expect((await desk.book()).flat()).toContain('人员组织')
  await desk.button('批量删除').press('Enter')
  await desk.said('请选择至少一条数据')
  await desk.tick(own)
  await desk.button('批量删除').click()
  await desk.answer(/^确定将选择数据删除\?\s*人员组织$/, '删除')
  await own.waitFor({ state: 'detached' })
})

test('[S7.16][PF 11][issue 4 section 4] data sources: the address is worked out, the password goes in only; one that a tenant reads stays', async () => {
  const { visitor, desk } = await sit('operator1', '/tool/datasource')
  const { page, row, window } = desk
  const own = row('统计库')
  await desk.button('新增').click()
  await desk.fill({ 数据源名称: '统计库', 数据库类型: ['达梦'], 主机: 'http://db.example.org', 端口: '70000' })
  await desk.refused('请输入库名')
  await window
    .getByText(/主机.*格式/)
    .first()
    .waitFor()
  await window
    .getByText(/端口.*65535/)
    .first()
    .waitFor()
  await desk.fill({ 主机: 'db.example.org', 端口: '5236', 库名: 'stat', 用户名: 'reader' })
  await desk.done()
  await own.getByText('jdbc:dm://db.example.org:5236/stat').waitFor()
  await own.getByText('未设置', { exact: true }).waitFor()
  await desk.act(own, '设置密码')
  await window.getByText('加密保存，保存后不再显示').waitFor()
  expect(await window.getByRole('button', { name: '保存', exact: true }).isDisabled()).toBe(true)
  await desk.fill({ 数据库密码: 's3cret-of-the-database' })
  await desk.done()
  await own.getByText('已设置', { exact: true }).waitFor()
  // Nothing can be typed where the server works it out, and the password is nowhere to be read.
  await desk.act(own, '编辑')
  expect([await window.getByLabel('连接地址').count(), await window.getByLabel('密码').inputValue()]).toEqual([0, ''])
  await desk.fill({ 备注: '只读账号' })
  await desk.done()
  await desk.act(own, '查看')
  await window.getByText('只读账号').waitFor()
  expect(await window.getByText('s3cret').count()).toBe(0)
  await page.keyboard.press('Escape')
  await window.waitFor({ state: 'detached' })
  const book = (await desk.book()).flat()
  expect([book.includes('统计库'), book.some(cell => cell.includes('s3cret'))]).toEqual([true, false])

  await visitor.open('/system/tenant')
  const tenant = page.locator('tbody tr[data-row]').first()
  await desk.act(tenant, '数据源配置')
  await desk.fill({ 数据源: ['统计库'] })
  await desk.done()
  await visitor.open('/tool/datasource')
  await desk.act(own, '删除')
  visitor.expectRefusal(409)
  await desk.answer('统计库', '删除')
  await desk.said(/租户|使用/)
  await own.waitFor()
  await visitor.open('/system/tenant')
  await desk.act(tenant, '数据源配置')
  // Without a mouse too.
  await window.getByLabel('数据源').press('Backspace')
  await window.getByText('请选择数据源').waitFor()
  await desk.done()
  await visitor.open('/tool/datasource')
  await desk.tick(own)
  await desk.button('批量删除').click()
  await desk.answer('统计库', '删除')
  await own.waitFor({ state: 'detached' })
  expect(await visitor.ask('/blade-develop/datasource/list', {})).toMatchObject({ total: 0 })

  const stranger = await sit('admin1', '/tool/datasource')
  await stranger.desk.page.getByRole('heading', { name: '没有访问权限' }).waitFor()
})

test('[S7.15][S1.06][issue 4 section 2] parameters of the platform: a wrong value is said at its field, a right one holds in the tenants that have none of their own', async () => {
  const { visitor, desk } = await sit('operator1', '/system/platformParam')
  const { page, row, window } = desk
  await desk.find({ 参数键名: 'reveal' })
  await expect.poll(() => page.locator('tbody tr[data-row]').count()).toBe(1)
  const own = row('reveal.perHour')
  await desk.act(own, '编辑')
  await window.getByText('此值适用于所有未自行设置的租户').waitFor()
  await desk.fill({ 平台值: 'many' })
  visitor.expectRefusal(400)
  await desk.refused(/数|整/)
  await desk.fill({ 平台值: '40' })
  await desk.done()
  await desk.said('个租户随之更新')
  await own.getByText('40', { exact: true }).waitFor()

  const tenant = await sit('admin1', '/system/param')
  await tenant.desk.find({ 参数键名: 'reveal' })
  await tenant.desk.row('reveal.perHour').getByText('40', { exact: true }).waitFor()
  await tenant.desk.act(tenant.desk.row('reveal.perHour'), '编辑')
  await tenant.desk.fill({ 参数键值: '30' })
  await tenant.desk.done()
  await desk.act(own, '编辑')
  await desk.fill({ 平台值: '45' })
  await desk.done()
  await own.getByText('45', { exact: true }).waitFor()
  // The tenant keeps its own, and the platform sees that one has one.
  expect((await tenant.visitor.ask('/blade-system/param/page', { paramKey: 'reveal.perHour' })).records[0]).toMatchObject({
    paramValue: '30',
  })
  expect((await visitor.ask('/blade-system/platform-param/list', { paramKey: 'reveal.perHour' }))[0]).toMatchObject({
    paramValue: '45',
    ownCount: 1,
  })
  await tenant.visitor.open('/system/platformParam')
  await tenant.desk.page.getByRole('heading', { name: '没有访问权限' }).waitFor()
})

test('[S7.15] an API scope keeps a call from everybody whose roles do not hold it, until it is removed', async () => {
  const { visitor, desk } = await sit('admin1', '/authority/apiscope')
  const { page, row, window } = desk
  await desk.button('新增').click()
  await desk.refused('请输入名称')
  await window.getByText('请输入接口地址').first().waitFor()
  await desk.fill({ 名称: '职务导出专用', 方法: ['GET'] })
  // Hundreds of calls: a part of the path finds it.
  await window.getByLabel('接口地址').fill('post/export')
  await page.locator('.ant-select-dropdown:visible').getByText('/blade-system/post/export').first().click()
  await desk.done()
  await row('职务导出专用').getByText('/blade-system/post/export').waitFor()
  await desk.find({ 接口地址: 'post/export' })
  await desk.act(row('职务导出专用'), '编辑')
  await desk.fill({ 备注: '仅人事使用' })
  await desk.done()
  expect((await desk.book()).flat()).toContain('/blade-system/post/export')
  const refused = await sit('admin1', '/system/post')
  refused.visitor.expectRefusal(403)
  await refused.desk.button('导出').click()
  await refused.desk.said('没有权限')
  await desk.button('批量删除').press('Enter')
  await desk.said('请选择至少一条数据')
  await desk.tick(row('职务导出专用'))
  await desk.button('批量删除').click()
  await desk.answer(/^确定将选择数据删除\?\s*职务导出专用$/, '删除')
  await row('职务导出专用').waitFor({ state: 'detached' })
  expect((await refused.desk.book()).length).toBeGreaterThan(0)
  expect(await visitor.ask('/blade-system/api-scope/list', { current: 1, size: 10 })).toMatchObject({ total: 0 })
})

test('[S7.15] a data scope: what is missing or wrong stands at its condition, it is added, found, changed and removed', async () => {
  const { visitor, desk } = await sit('admin1', '/authority/datascope')
  const { page, row, window } = desk
  await desk.button('新增').click()
  await desk.refused('请输入名称')
  await desk.fill({ 名称: '前三类职务' })
  await window.getByLabel('业务对象').selectOption('post')
  await window.getByRole('button', { name: '添加条件' }).click()
  await window.getByLabel('字段 1').selectOption('sort')
  await window.getByLabel('比较 1').selectOption('le')
  await window.getByLabel('值 1', { exact: true }).fill('很小')
  visitor.expectRefusal(400)
  await window.getByRole('button', { name: '保存', exact: true }).click()
  await window.getByRole('alert').first().waitFor()
  expect(await window.getByLabel('名称', { exact: true }).inputValue()).toBe('前三类职务')
  await window.getByLabel('值 1', { exact: true }).fill('3')
  await desk.done()
  await page.getByRole('search').getByLabel('业务对象').selectOption('post')
  await desk.find({ 名称: '前三类' })
  await desk.act(row('前三类职务'), '编辑')
  await window.getByLabel('值 1', { exact: true }).fill('4')
  await desk.done()
  const { records } = await visitor.ask('/blade-system/data-scope/list', { scopeName: '前三类' })
  expect((await desk.book()).flat()).toContain('前三类职务')
  expect(records).toMatchObject([{ scopeValue: [{ field: 'sort', operator: 'le', values: ['4'] }] }])
  await desk.button('批量删除').press('Enter')
  await desk.said('请选择至少一条数据')
  await desk.tick(row('前三类职务'))
  await desk.button('批量删除').click()
  await desk.answer(/^确定将选择数据删除\?\s*前三类职务$/, '删除')
  await row('前三类职务').waitFor({ state: 'detached' })
})

test('[S7.20][issue 4 section 4] several roles go at once, together or not at all', async () => {
  const { visitor, desk } = await sit('admin1', '/authority/role')
  const { row } = desk
  for (const [name, alias] of [
    ['临时一', 'temporary1'],
    ['临时二', 'temporary2'],
  ] as const) {
    await desk.button('新增角色').click()
    await desk.fill({ 角色名称: name, 角色别名: alias })
    await desk.done()
  }
  await desk.button('批量删除').press('Enter')
  await desk.said('请选择至少一条数据')
  const all = [row('temporary1'), row('temporary2')]
  for (const each of [...all, row('finance')]) await desk.tick(each)
  await desk.button('批量删除').click()
  visitor.expectRefusal(409)
  await desk.answer(/财务.*临时一.*临时二/, '删除')
  await desk.said('财务')
  await row('finance').getByRole('checkbox').uncheck()
  await desk.button('批量删除').click()
  await desk.answer(/^确定将选择数据删除\?\s*临时一、临时二\s*它的授权会一并删除。$/, '删除')
  for (const each of all) await each.waitFor({ state: 'detached' })
  expect(await visitor.ask('/blade-system/role/list', { roleAlias: 'temporary' })).toEqual([])
})

test('[S7.17][issue 4 section 4] several menus go at once, out of the tree and out of what a search found', async () => {
  const { visitor, desk } = await sit('admin1', '/system/menu')
  const { row } = desk
  for (const [name, code] of [
    ['临时一', 'temporaryone'],
    ['临时二', 'temporarytwo'],
    ['临时三', 'temporarythree'],
  ] as const) {
    await desk.button('新增菜单').click()
    await desk.fill({ 菜单名称: name, 英文名称: code, 菜单编号: code, 路由地址: `/${code}` })
    await desk.done()
  }
  await desk.button('批量删除').press('Enter')
  await desk.said('请选择至少一条数据')
  await desk.tick(row('temporaryone'))
  await desk.button('批量删除').click()
  await desk.answer(/临时一\s*各角色对它的授权会一并删除。$/, '删除')
  await row('temporaryone').waitFor({ state: 'detached' })
  await desk.find({ 菜单编号: 'temporary' })
  for (const code of ['temporarytwo', 'temporarythree']) await desk.tick(row(code))
  await desk.button('批量删除').click()
  await desk.answer(/临时二、临时三/, '删除')
  await row('temporarytwo').waitFor({ state: 'detached' })
  expect(await visitor.ask('/blade-system/menu/lazy-list', { code: 'temporary' })).toEqual([])
})

test('[S7.15][issue 4 section 4] regions come in by a workbook that says its columns, is checked first, marked, mended on the screen and covers on demand', async () => {
  const { visitor, desk } = await sit('operator1', '/base/region')
  const { window } = desk
  const header = ['区划编号', '上级编号', '区划名称', '排序', '备注']
  const choose = async (...rows: readonly (readonly string[])[]) =>
    window.locator('input[type=file]').setInputFiles({
      name: '区划.xlsx',
      mimeType: 'application/octet-stream',
      buffer: await workbook([header, ...rows]),
    })
  const stored = () => visitor.ask('/blade-system/region/lazy-list', { name: '试验' })
  await desk.button('导入').click()
  expect(await desk.book('下载模板')).toEqual([header])
  expect((await desk.book('下载模板', 1)).map(row => row[0])).toEqual(['列', ...header])
  await choose(['990000', '', '试验省', '很前'], ['990100', '980000', '试验市'])
  const wrong = window.getByRole('region', { name: '错误明细' }).getByRole('row')
  await wrong.filter({ hasText: /^2\s*D 排序\s*排序须为 0 至 9999 的整数/ }).waitFor()
  await wrong.filter({ hasText: /^3\s*B 上级编号\s*990100 不能在 980000 之下/ }).waitFor()
  const marked = await desk.book('下载错误工作簿')
  expect(marked[0]).toEqual([...header, '校验结果', '错误原因'])
  expect(marked.slice(1).map(row => row.at(-1))).toEqual(['排序: 排序须为 0 至 9999 的整数', '上级编号: 990100 不能在 980000 之下'])
  expect(await stored()).toEqual([])
  await window.getByLabel('第 2 行 排序 的正确内容').fill('1')
  await window.getByLabel('第 3 行 上级编号 的正确内容').fill('990000')
  await window.getByRole('button', { name: '用 2 处更正重新检查' }).click()
  await window.getByRole('button', { name: '导入 2 行' }).click()
  await window.getByText('新增 2 行').waitFor()
  await window.getByRole('button', { name: '关闭' }).last().click()
  await desk.find({ 区划名称: '试验' })
  await desk.row('990100').getByText('试验省').first().waitFor()
  expect((await stored()).map((row: { code: string }) => row.code).sort()).toEqual(['990000', '990100'])
  // What is there is changed only by who says so.
  await desk.button('导入').click()
  await choose(['990100', '990000', '试验新市'])
  await window.getByLabel('覆盖已有的区划').check()
  await window.getByRole('button', { name: '导入 1 行' }).click()
  await window.getByText('更新 1 行').waitFor()
  await window.getByRole('button', { name: '关闭' }).last().click()
  await desk.row('试验新市').first().waitFor()
})

test('[S2.34][S9.17] the same screens in English, and on a phone, where the window’s button can be pressed', async () => {
  const { visitor, desk } = await sitAt(office, 'operator1', '/system/tenant', { screen: 'phone', language: 'en' })
  await desk.reach('Add')
  const others = { '/system/tenant-package': 'Add', '/base/region': 'Add province' }
  for (const [path, button] of Object.entries(others)) {
    await visitor.open(path)
    await desk.reach(button)
  }
  // What has an English name is called by it.
  await visitor.open('/system/topmenu')
  await desk.act(desk.row('recruit'), 'Menus')
  await desk.page.getByRole('dialog', { name: 'Menus shown by “Recruitment”' }).waitFor()
})
