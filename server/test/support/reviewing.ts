import { type Person, type TestApp, type TestTenant, testStart } from './app.ts'
import { type BuiltExam, buildExam } from './factories.ts'
import { answersOf, submit, uploadAll } from './signing.ts'

export const wang = { idCard: '330106199806301023', phone: '16000000001', realName: '王·测' }

/** One sign-up that waits, and the people who decide about it. */
export interface ReviewWorld {
  readonly tenant: TestTenant
  readonly exam: BuiltExam
  readonly candidate: Person
  readonly fileIds: Record<string, string[]>
  readonly id: string
  readonly r1: Person
  readonly r2: Person
  readonly officer: Person
}

/** A new tenant whose examination has one waiting sign-up; the clock stands at the start of the tests. */
export const reviewWorld = async (t: TestApp, overrides: Parameters<typeof buildExam>[1] = {}): Promise<ReviewWorld> => {
  t.clock.set(testStart)
  const tenant = await t.tenant()
  const exam = await buildExam(tenant, overrides)
  const candidate = await tenant.candidate(wang)
  const fileIds = await uploadAll(candidate)
  const { body } = await submit(candidate, exam.examId, { content: answersOf(wang.idCard, wang.phone), fileIds })
  return {
    tenant,
    exam,
    candidate,
    fileIds,
    id: body.data.id,
    r1: await tenant.staff('reviewer1', { realName: '初审甲' }),
    r2: await tenant.staff('reviewer2', { realName: '复核乙' }),
    officer: await tenant.staff('exam_admin', { realName: '考务丁' }),
  }
}

/** Takes the lock of a sign-up, as the workbench does. */
export const openReview = (person: Person, id: string) => person.post('/blade-signup/examine/open', { json: { signUpId: id } })
export const decide = (person: Person, id: string, json: Readonly<Record<string, unknown>>) =>
  person.post('/blade-signup/examine/examine', { json: { signUpId: id, signVersion: 1, ...json } })
