import type { Answer, Person, TestApp } from './app.ts'

/** What the person concerned shows to both who decide, so that nobody waits. */
export const document = '居民身份证原件'
const hourMs = 3_600_000

/** The same act by one person and then by another, for somebody who shows a document. @returns what the second is answered */
export const bothAtOnce = async (
  persons: readonly [Person, Person],
  act: (person: Person, more: object) => Promise<Answer>,
): Promise<Answer> => {
  await act(persons[0], { document })
  return act(persons[1], { document })
}

/** The time in which the owner of an account may object goes by, and what waited for it is done. */
export const waitToObject = async (t: TestApp, hours = 24): Promise<void> => {
  t.clock.advance(hours * hourMs)
  await t.runTasks()
}

/** A reset of a password: of somebody who has chosen one by both, of others by the first alone. @returns the last answer */
export const resetByTwo = async (persons: readonly [Person, Person], userId: string): Promise<Answer> => {
  const act = (person: Person) => person.post('/blade-system/user/reset-password', { json: { userIds: userId, document } })
  const first = await act(persons[0])
  return first.body.data?.[0]?.waiting === undefined ? first : act(persons[1])
}
