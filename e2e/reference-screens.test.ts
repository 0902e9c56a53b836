import { expect, test } from 'vitest'
import { type Seat, sitAt } from './support/screen.ts'
import { openConsole, ownServer } from './support/shell.ts'

// The screens of dictionaries, departments, duty posts and regions, each as somebody works on it from an empty list to an empty list.

const office = openConsole(
  [
    { account: 'admin1', realName: '赵管理', roles: ['admin'] },
    { account: 'operator1', realName: '钱平台', roles: ['administrator'] },
  ],
  ownServer,
)

const sit = (account: string, path: string): Promise<Seat> => sitAt(office, account, path)

test('[S7.18][S5.21][S3.05] the business dictionary: a group and its entries are added, found, sealed, exported and removed', async () => {
  const { visitor, desk } = await sit('admin1', '/system/dictbiz')
  const { row } = desk
  await desk.button('新增字典').click()
  await desk.fill({ 字典编号: '1人员' })
  await desk.refused('请输入字典名称')
  await desk.window.getByText(/字典编号.*格式/).waitFor()
  expect(await desk.window.getByLabel('字典编号').inputValue()).toBe('1人员')
  await desk.fill({ 字典编号: 'staff_level', 字典名称: '职称等级', 英文名称: 'Levels', 字典排序: '7' })
  await desk.done()
  await desk.find({ 字典编号: 'staff_level' })
  const group = row('职称等级')
  await desk.act(group, '新增字典项')
  expect(await desk.window.getByLabel('字典编号').isDisabled()).toBe(true)
  await desk.fill({ 字典键值: '1', 字典名称: '初级', 字典排序: '1' })
  await desk.done()
  await desk.act(group, '新增字典项')
  await desk.fill({ 字典键值: '1', 字典名称: '中级', 字典排序: '2' })
  visitor.expectRefusal(400)
  await desk.refused(/字典键值/)
  expect(await desk.window.getByLabel('字典名称').inputValue()).toBe('中级')
  await desk.fill({ 字典键值: '2' })
  await desk.done()
  await desk.act(group, '编辑')
  await desk.fill({ 字典名称: '专业技术等级' })
  await desk.done()
  await row('专业技术等级').getByRole('button', { name: '展开专业技术等级' }).click()
  await desk.act(row('专业技术等级'), '批量录入')
  await desk.refused('请粘贴字典项，每行一项')
  await desk.window.getByLabel('字典项').fill('8\t特级\tTop\n只有名称')
  visitor.expectRefusal(400)
  await desk.refused('第 2 行：应为 键值、名称、英文名称（可不填）')
  await desk.window.getByLabel('字典项').fill('8\t特级\tTop\n9，见习')
  await desk.done()
  await desk.said('已录入 2 项')
  await row('特级').waitFor()
  await row('见习').waitFor()
  await desk.act(row('特级'), '删除')
  await desk.answer(/特级/, '删除')
  await desk.act(row('见习'), '删除')
  await desk.answer(/见习/, '删除')
  await row('见习').waitFor({ state: 'detached' })

  await desk.act(row('中级'), '封存')
  await desk.answer('封存“中级”？封存后不再供选择，已有数据仍显示它的名称。', '封存')
  await row('中级').getByText('已封存').waitFor()
  const offered = () => visitor.ask('/blade-system/dict-biz/dictionary', { code: 'staff_level' })
  expect((await offered()).map((entry: { dictValue: string }) => entry.dictValue)).toEqual(['初级'])
  await desk.act(row('中级'), '启用')
  await row('中级').getByText('使用中').waitFor()
  expect(await offered()).toHaveLength(2)

  // A group with entries is sealed as well; and who has an older row before them does not undo what somebody else changed.
  const late = await sit('admin1', '/system/dictbiz')
  await late.desk.find({ 字典编号: 'staff_level' })
  await late.desk.row('专业技术等级').waitFor()
  await desk.act(row('专业技术等级'), '封存')
  await desk.answer('封存“专业技术等级”？', '封存')
  await row('专业技术等级').getByText('已封存').waitFor()
  late.visitor.expectRefusal(409)
  await late.desk.act(late.desk.row('专业技术等级'), '封存')
  await late.desk.answer('封存“专业技术等级”？', '封存')
  await late.desk.row('专业技术等级').getByText('已封存').waitFor()

  const book = await desk.book()
  expect(book.filter(line => line.includes('staff_level')).map(line => line.slice(1, 3))).toEqual([
    ['-1', '专业技术等级'],
    ['1', '初级'],
    ['2', '中级'],
  ])

  // A group with entries stays; the question names what it is about, in the words of S5.13.
  visitor.expectRefusal(409)
  await desk.act(row('专业技术等级'), '删除')
  await desk.answer(/^确定将选择数据删除\?\s*专业技术等级$/, '删除')
  await desk.said('专业技术等级 还有字典项')
  await desk.button('批量删除').press('Enter')
  await desk.said('请选择至少一条数据')
  for (const name of ['专业技术等级', '初级', '中级']) await desk.tick(row(name))
  await desk.button('批量删除').click()
  await desk.answer(/^确定将选择数据删除\?\s*专业技术等级、初级、中级$/, '删除')
  await row('专业技术等级').waitFor({ state: 'detached' })
  expect(await visitor.ask('/blade-system/dict-biz/parent-list', { code: 'staff_level' })).toMatchObject({ total: 0 })
})

test('[S7.18][S2.10] /dict-horizontal and /dict-vertical: a group is chosen, its entries stand beside or below it and are changed there', async () => {
  const { visitor, desk } = await sit('admin1', '/dict-horizontal/index')
  const { page, row } = desk
  await desk.button('新增字典').click()
  await desk.fill({ 字典编号: 'site_kind', 字典名称: '考点类别', 字典排序: '9' })
  await desk.done()
  await page.getByRole('search').first().getByLabel('字典编号').fill('site_kind')
  await page.getByRole('search').first().getByLabel('字典编号').press('Enter')
  await row('考点类别').locator('[data-choose]').click()
  await page.getByRole('heading', { name: '“考点类别”的字典项' }).waitFor()
  await desk.button('新增字典项').click()
  await desk.refused('请输入字典键值')
  await desk.fill({ 字典键值: 'A', 字典名称: '标准考点', 字典排序: '1' })
  await desk.done()
  const entry = row('标准考点')
  await desk.act(entry, '编辑')
  await desk.fill({ 字典名称: '标准化考点' })
  await desk.done()
  await row('标准化考点').waitFor()
  const place = async (list: string) => (await page.locator(`[data-table="${list}"]`).boundingBox()) ?? { x: 0, y: 0 }
  const beside = [await place('dictionary-groups'), await place('dictionary-entries')]
  expect((beside[1]?.x ?? 0) - (beside[0]?.x ?? 0)).toBeGreaterThan(200)

  // The address of one layout is that of the other: what was chosen stays chosen.
  await visitor.open(`/dict-vertical/index${new URL(page.url()).search}`)
  await row('标准化考点').waitFor()
  const below = [await place('dictionary-groups'), await place('dictionary-entries')]
  expect((below[1]?.y ?? 0) - (below[0]?.y ?? 0)).toBeGreaterThan(100)
  await desk.tick(row('标准化考点'))
  await page.locator('[data-table="dictionary-entries"]').getByRole('button', { name: '批量删除' }).click()
  await desk.answer(/^确定将选择数据删除\?\s*标准化考点$/, '删除')
  await row('标准化考点').waitFor({ state: 'detached' })
  await desk.act(row('考点类别'), '删除')
  await desk.answer(/考点类别$/, '删除')
  await row('考点类别').waitFor({ state: 'detached' })
  await page.getByText('请在列表中选择一个字典，查看它的字典项').waitFor()
})

test('[S7.18] the system dictionary is the platform’s: an operator changes it, an administrator of a tenant reads it', async () => {
  const { visitor, desk } = await sit('operator1', '/system/dict')
  await desk.button('新增字典').click()
  await desk.fill({ 字典编号: 'gender', 字典名称: '性别（国标）', 字典排序: '90' })
  await desk.done()
  await desk.find({ 字典编号: 'gender' })
  await desk.act(desk.row('性别（国标）'), '新增字典项')
  await desk.fill({ 字典键值: '9', 字典名称: '未说明', 字典排序: '9' })
  await desk.done()
  expect(await visitor.ask('/blade-system/dict/dictionary', { code: 'gender' })).toMatchObject([{ dictKey: '9', dictValue: '未说明' }])

  const reader = await sit('admin1', '/system/dict')
  await reader.desk.page.getByText('系统字典由平台维护，这里只能查看。').waitFor()
  await reader.desk.find({ 字典编号: 'gender' })
  await reader.desk.row('性别（国标）').getByRole('button', { name: '展开性别（国标）' }).click()
  await reader.desk.row('未说明').waitFor()
  expect(await reader.desk.page.locator('[data-act]').count()).toBe(0)

  await desk.row('性别（国标）').getByRole('button', { name: '展开性别（国标）' }).click()
  for (const name of ['性别（国标）', '未说明']) await desk.tick(desk.row(name))
  await desk.button('批量删除').click()
  await desk.answer(/^确定将选择数据删除\?\s*性别（国标）、未说明$/, '删除')
  await desk.row('性别（国标）').waitFor({ state: 'detached' })
})

test('[S7.15] departments: levels come when they are opened, a department moves with all below it, one with others below it stays', async () => {
  const { visitor, desk } = await sit('admin1', '/system/dept')
  const { page, row } = desk
  const add = async (name: string, under?: string) => {
    if (under === undefined) await desk.button('新增').click()
    else await desk.act(row(under), '新增下级')
    await desk.fill({ 部门名称: name, 部门全称: `区卫健委${name}` })
    await desk.done()
    await desk.said('新增成功')
  }
  const asked: string[] = []
  page.on('request', request => {
    if (request.url().includes('/dept/lazy-list')) asked.push(new URL(request.url()).searchParams.get('parentId') ?? '')
  })
  await desk.button('新增').click()
  await desk.fill({ 部门名称: '医政处' })
  await desk.refused('请输入部门全称')
  expect(await desk.window.getByLabel('部门名称').inputValue()).toBe('医政处')
  await desk.fill({ 部门全称: '区卫健委医政处' })
  await desk.done()
  await add('人事处')
  await add('招聘科', '人事处')
  const open = (name: string) =>
    row(name)
      .getByRole('button', { name: `展开${name}` })
      .click()
  await open('人事处')
  await add('考务组', '招聘科')
  await open('招聘科')
  await row('考务组').waitFor()
  // Each level a step further in, whether or not there is something to open.
  const indent = async (name: string) => (await row(name).locator('.branch').boundingBox())?.width
  expect(await Promise.all(['医政处', '人事处', '招聘科', '考务组'].map(indent))).toEqual([24, 24, 44, 64])

  await desk.act(row('招聘科'), '编辑')
  // It cannot go below itself: the one below it cannot be chosen.
  const parent = desk.window.getByLabel('上级部门')
  await parent.click()
  const choices = page.locator('.ant-select-dropdown:visible .ant-select-tree-treenode')
  await choices.filter({ hasText: '医政处' }).locator('.ant-select-tree-node-content-wrapper').click()
  await desk.done()
  await desk.said('更新成功')
  await open('医政处')
  await row('招聘科').waitFor()
  const tree = (await visitor.ask('/blade-system/dept/list')) as readonly {
    deptName: string
    children?: readonly { deptName: string; children?: readonly { deptName: string }[] }[]
  }[]
  const flat = (nodes: typeof tree, depth = 0): string[] =>
    nodes.flatMap(node => [`${depth} ${node.deptName}`, ...flat((node.children ?? []) as typeof tree, depth + 1)])
  expect(flat(tree).filter(line => /处|科|组/.test(line))).toEqual(['0 医政处', '1 招聘科', '2 考务组', '0 人事处'])
  expect(asked.length).toBeGreaterThan(3)
  expect((await desk.book()).flat()).toEqual(expect.arrayContaining(['医政处', '招聘科', '考务组', '人事处']))

  visitor.expectRefusal(409)
  await desk.act(row('医政处'), '删除')
  await desk.answer(/^确定将选择数据删除\?\s*医政处$/, '删除')
  await page
    .locator('.toaster, [role=alert]')
    .getByText(/医政处|下级/)
    .first()
    .waitFor()
  await desk.find({ 部门名称: '科' })
  await row('招聘科').waitFor()
  await page.getByRole('search').getByRole('button', { name: '清空' }).click()
  await desk.button('批量删除').press('Enter')
  await desk.said('请选择至少一条数据')
  for (const name of ['医政处', '招聘科', '考务组', '人事处']) await desk.tick(row(name))
  await desk.button('批量删除').click()
  await desk.answer('医政处、招聘科、考务组 等 4 条', '删除')
  await row('人事处').waitFor({ state: 'detached' })
  expect(flat(await visitor.ask('/blade-system/dept/list')).filter(line => /处|科|组/.test(line))).toEqual([])
})

test('[S7.15][S5.13] duty posts: added, found, looked at, changed, exported and removed several at once', async () => {
  const { visitor, desk } = await sit('admin1', '/system/post')
  const { page, row } = desk
  await desk.button('新增').click()
  await desk.fill({ 职务编号: 'head_nurse', 排序: '3' })
  await desk.refused('请输入职务名称')
  await desk.window.locator('.ant-form-item-explain-error', { hasText: '请选择职务类型' }).waitFor()
  await desk.fill({ 职务类型: ['中层'], 职务名称: '护士长' })
  await desk.done()
  await desk.button('新增').click()
  await desk.fill({ 职务类型: ['中层'], 职务编号: 'head_nurse', 职务名称: '总护士长', 排序: '2' })
  visitor.expectRefusal(400)
  await desk.refused(/head_nurse.*已存在/)
  await desk.fill({ 职务编号: 'chief_nurse' })
  await desk.done()
  await desk.find({ 职务名称: '护士长' })
  await row('head_nurse').waitFor()
  expect(await page.locator('tbody tr[data-row]').count()).toBe(2)
  await desk.act(row('head_nurse'), '编辑')
  await desk.fill({ 备注: '病区' })
  await desk.done()
  await desk.act(row('head_nurse'), '查看')
  await desk.window.getByText('病区').waitFor()
  await page.keyboard.press('Escape')
  await desk.window.waitFor({ state: 'detached' })
  expect((await desk.book()).filter(line => line.some(cell => cell.includes('nurse')))).toHaveLength(2)
  await desk.button('批量删除').press('Enter')
  await desk.said('请选择至少一条数据')
  await page.getByRole('checkbox', { name: '选择本页全部' }).check()
  await desk.button('批量删除').click()
  await desk.answer(/^确定将选择数据删除\?\s*(护士长、总护士长|总护士长、护士长)$/, '删除')
  await page.getByText('没有符合条件的数据').waitFor()
  expect(await visitor.ask('/blade-system/post/page', { postName: '护士长' })).toMatchObject({ total: 0 })
})

test('[S7.15] regions: a level comes when it is opened, one is added below, found by its name, changed, exported and removed', async () => {
  const { visitor, desk } = await sit('operator1', '/base/region')
  const { page, row } = desk
  await desk.find({ 区划编号: '330106' })
  await desk.act(row('330106'), '新增下级')
  await desk.fill({ 区划编号: '440106001', 区划名称: '测试街道' })
  visitor.expectRefusal(400)
  await desk.refused(/上级/)
  expect(await desk.window.getByLabel('区划名称').inputValue()).toBe('测试街道')
  await desk.fill({ 区划编号: '330106990' })
  await desk.done()
  await desk.find({ 区划名称: '测试街道', 区划编号: '' })
  await desk.act(row('测试街道'), '编辑')
  expect(await desk.window.getByLabel('区划编号').isDisabled()).toBe(true)
  await desk.fill({ 备注: '待并入' })
  await desk.done()
  await row('待并入').waitFor()
  expect((await desk.book()).filter(line => line.includes('330106990'))).toHaveLength(1)
  await page.getByRole('search').getByRole('button', { name: '清空' }).click()
  for (const name of ['浙江省', '浙江省杭州市', '浙江省杭州市西湖区'])
    await page.getByRole('button', { name: `展开${name}`, exact: true }).click()
  await row('测试街道').waitFor()
  await desk.button('批量删除').press('Enter')
  await desk.said('请选择至少一条数据')
  await desk.tick(row('测试街道'))
  await desk.button('批量删除').click()
  await desk.answer(/^确定将选择数据删除\?\s*浙江省杭州市西湖区测试街道$/, '删除')
  await row('测试街道').waitFor({ state: 'detached' })
  expect(await visitor.ask('/blade-system/region/lazy-list', { code: '330106990' })).toEqual([])
})

test('[S2.34][S9.17] the same screens in English, and on a phone, where the window’s button can be pressed', async () => {
  const { visitor, desk } = await sitAt(office, 'admin1', '/system/post', { screen: 'phone', language: 'en' })
  await desk.reach('Add')
  const others = { '/system/dept': 'Add', '/dict-horizontal/index': 'Add dictionary' }
  for (const [path, button] of Object.entries(others)) {
    await visitor.open(path)
    await desk.reach(button)
  }
})
