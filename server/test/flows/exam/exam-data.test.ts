import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  findExam,
  findPost,
  freeSeat,
  listPapers,
  listPosts,
  listSignFiles,
  listSignItems,
  lockExam,
  takeSeat,
} from '#modules/exam/index.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { buildExam, examplePosts } from '../../support/factories.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('an examination is read with its papers, posts, fields and files; another tenant sees none of them', async () => {
  const mine = await app.tenant()
  const other = await app.tenant()
  const { examId, papers, posts } = await buildExam(mine)
  await buildExam(other)
  await mine.db(async db => {
    expect(await findExam(db, examId)).toMatchObject({
      id: examId,
      examCode: 'HZ2026A',
      state: 'released',
      signBegin: new Date('2026-03-16T09:00:00+08:00'),
      signEnd: new Date('2026-03-20T17:00:00+08:00'),
      feeFen: 10_000,
      writtenWeight: '100.00',
      examineLevels: 2,
      managers: [],
    })
    expect(await lockExam(db, examId)).toMatchObject({ id: examId })
    expect(await listPapers(db, examId)).toEqual([
      expect.objectContaining({ id: papers['01'], itemCode: '01', itemType: 1, fullScore: '100.00', rooms: [], ticketState: 'none' }),
    ])
    expect((await listPosts(db, examId)).map(post => [post.id, post.code, post.planNum, post.bornFrom])).toEqual([
      [posts['A001'], 'A001', 2, '1990-03-16'],
      [posts['B001'], 'B001', 4, null],
      [posts['A002'], 'A002', 1, null],
    ])
    expect(await findPost(db, examId, 'A001')).toMatchObject({
      educations: { min: '20' },
      majors: [],
      cert: [],
      political: [],
      majorText: '',
      hukou: null,
    })
    const items = await listSignItems(db, examId)
    expect(items.map(item => item.itemKey)).toContain('relativeInfo')
    expect(items.find(item => item.itemKey === 'idCard')).toMatchObject({
      fieldType: 'idcard',
      sensitive: 2,
      required: 1,
      groupName: '基本信息',
    })
    expect((await listSignFiles(db, examId)).map(file => file.fileKey)).toEqual(['photo', 'idFront', 'idBack', 'diploma'])
  })
  await other.db(async db => {
    expect(await findExam(db, examId)).toBeUndefined()
    expect(await listPosts(db, examId)).toEqual([])
    expect(await listSignItems(db, examId)).toEqual([])
  })
})

test('the last seat of a capped post is taken once, however many ask at the same moment', async () => {
  const tenant = await app.tenant()
  const capped = examplePosts.map(post => (post.code === 'B001' ? { ...post, maxSign: 3 } : post))
  const { examId } = await buildExam(tenant, { posts: capped })
  const answers = await Promise.all(Array.from({ length: 8 }, () => tenant.db(db => takeSeat(db, examId, 'B001'))))
  expect(answers.filter(Boolean)).toHaveLength(3)
  await tenant.db(async db => {
    await freeSeat(db, examId, 'B001')
    expect(await takeSeat(db, examId, 'B001')).toBe(true)
    expect(await takeSeat(db, examId, 'B001')).toBe(false)
    expect(await findPost(db, examId, 'B001')).toMatchObject({ usedSign: 3, maxSign: 3 })
    expect(await takeSeat(db, examId, 'A001')).toBe(true)
    expect(await takeSeat(db, examId, 'nowhere')).toBe(false)
  })
})
