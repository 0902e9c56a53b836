import type { FieldCipher } from '#kernel/crypto/field.ts'
import type { TenantDb } from '#kernel/db/scope.ts'
import { findSource } from '../data/datasource.repo.ts'

/** A data source with its password, for whoever connects to it: nothing of this goes into an answer, a log or the trail. */
export interface OpenDatasource {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly host: string
  readonly port: number
  readonly databaseName: string
  readonly username: string
  readonly password: string
}

export const openDatasource = async (cipher: FieldCipher, db: TenantDb, id: string): Promise<OpenDatasource | undefined> => {
  const row = await findSource(db, id)
  if (row === undefined) return undefined
  const { sealed, ...source } = row
  const password =
    sealed === null ? '' : cipher.open(db.actor.tenantId, { table: 'datasource', column: 'password_sealed', rowId: id }, sealed)
  return { ...source, password }
}
