import { departmentsText, type TenantDb } from './scope.ts'
import { sql } from './sql.ts'

interface Reader {
  readonly userId: string
  readonly departments?: readonly string[] | null
}
const become = (db: TenantDb, { userId, departments }: Reader): void =>
  db.send(sql`select set_config('app.user_id', ${userId}, true), set_config('app.departments', ${departmentsText(departments)}, true)`)

/** Reads in the transaction of somebody who may see it all what another person would see. For reading only: rows would be written in their name. */
export const readingAs = async <T>(db: TenantDb, reader: Reader, work: () => Promise<T>): Promise<T> => {
  become(db, reader)
  try {
    return await work()
  } finally {
    become(db, db.actor)
  }
}
