import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeS3, s3Keys, startFakeS3 } from '../server/test/support/fake-s3.ts'
import { sitAt } from './support/screen.ts'
import { openConsole } from './support/shell.ts'

let s3: FakeS3
const env: Record<string, string> = {}
beforeAll(async () => {
  s3 = await startFakeS3()
  s3.buckets.set('papers', new Map())
  env['KAOPU_STORAGE_SERVERS'] = s3.origin
})
afterAll(() => s3.close())
// The setting belongs to the whole server.
const office = openConsole([{ account: 'admin1', realName: '赵管理', roles: ['administrator', 'admin'] }], env)

const portraits = fileURLToPath(new URL('../server/seed/data/portraits/', import.meta.url))
const objects = () => s3.buckets.get('papers')?.size

test('[S7.24] attachments are dropped in with their progress, found, downloaded, renamed and removed', async () => {
  const { visitor: admin, desk } = await sitAt(office, 'admin1', '/resource/attach')
  const { page } = admin
  await page.getByRole('button', { name: '上传附件' }).click()
  const [letter, diploma] = [await readFile(`${portraits}agree-letter.pdf`), await readFile(`${portraits}diploma.jpg`)]
  const dropped = [
    { name: '同意报考证明.pdf', type: 'application/pdf', bytes: letter.toString('base64') },
    { name: '毕业证书.jpg', type: 'image/jpeg', bytes: diploma.toString('base64') },
    { name: '脚本.exe', type: 'application/octet-stream', bytes: 'TVo=' },
  ]
  const drop = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer()
    for (const { name, type, bytes } of ${JSON.stringify(dropped)})
      transfer.items.add(new File([Uint8Array.from(atob(bytes), c => c.charCodeAt(0))], name, { type }))
    return transfer
  })()`)
  await page.locator('.upload-drop').dispatchEvent('drop', { dataTransfer: drop })
  await page.getByText('脚本.exe', { exact: false }).first().waitFor()
  for (const name of ['同意报考证明.pdf', '毕业证书.jpg']) await page.getByRole('row', { name: new RegExp(name) }).waitFor()
  await admin.look('attachments')
  await desk.find({ 附件原名: '同意' })
  await desk.row(/毕业证书/).waitFor({ state: 'detached' })
  const [download] = await Promise.all([page.waitForEvent('download'), desk.act(desk.row(/同意报考证明/), '下载')])
  expect([download.suggestedFilename(), (await readFile(await download.path())).equals(letter)]).toEqual(['同意报考证明.pdf', true])
  await desk.act(desk.row(/同意报考证明/), '编辑')
  await desk.fill({ 附件原名: '同意报考证明（样张）.pdf' })
  await desk.done()
  await desk.act(desk.row(/样张/), '删除')
  await desk.answer(/样张/, '删除')
  await desk.row(/样张/).waitFor({ state: 'detached' })
  expect((await admin.ask('/blade-resource/attach/list')).records.map((row: { originalName: string }) => row.originalName)).toEqual([
    '毕业证书.jpg',
  ])
})

test('[S7.24] a storage is set up, its faults are said, it is switched on, and the files move there', async () => {
  const { visitor: admin, desk } = await sitAt(office, 'admin1', '/resource/oss')
  const { page } = admin
  await page.getByText('本机磁盘', { exact: true }).waitFor()
  await desk.button('新增').click()
  await desk.fill({
    存储类型: ['MinIO'],
    资源编号: 'minio',
    资源地址: 'http://169.254.169.254',
    空间名: 'papers',
    AccessKey: s3Keys.accessKey,
    SecretKey: 'wrong',
  })
  admin.expectRefusal(400)
  await desk.refused('不在允许之列')
  await admin.look('storage-form')
  await desk.fill({ 资源地址: s3.origin })
  await desk.done()
  const row = desk.row(/minio/)
  admin.expectRefusal(409)
  await desk.act(row, '启用')
  await desk.answer(/新文件将存入“minio”/, '确定')
  await desk.said('AccessKey 或 SecretKey 不正确')
  await desk.act(row, '编辑')
  await desk.fill({ SecretKey: s3Keys.secretKey })
  await desk.done()
  await desk.act(row, '测试上传')
  await desk.said('写入、读取、删除都正常')
  await desk.act(row, '启用')
  await desk.answer(/新文件将存入“minio”/, '确定')
  await page.getByText('个文件不在新文件的存储中', { exact: false }).waitFor()
  await admin.look('storage')
  await desk.button('迁移文件').click()
  await desk.answer(/读回核对/, '迁移文件')
  await page.getByText('上次迁移已完成', { exact: false }).waitFor({ timeout: 60_000 })
  expect(objects()).toBeGreaterThan(0)
  await admin.look('storage-moved')
})

test('both screens in English on a phone: nothing wider than the screen', async () => {
  const admin = await office.enter('admin1', { language: 'en', screen: 'phone' })
  for (const [path, text] of [
    ['/resource/oss', 'Where files lie'],
    ['/resource/attach', 'Stored as'],
  ] as const) {
    await admin.open(path)
    await admin.page.getByText(text).first().waitFor()
    await admin.look(`file-phone${path.replaceAll('/', '-')}`)
  }
})
