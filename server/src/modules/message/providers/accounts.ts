import type { TenantDb } from '#kernel/db/scope.ts'
import type { Services } from '#server/services.ts'
import { findService, findServiceOn, type ServiceRow } from '../data/service.repo.ts'
import { createAliyunSms } from './aliyun.ts'
import { isSmsCategory, type SmsGateway } from './gateway.ts'
import type { SmsProvider } from './provider.ts'
import { recordingProvider } from './recording.ts'
import { createTencentSms } from './tencent.ts'

/** A service of a tenant, ready to be called; `rowId` is null of the one that only records. */
export interface SmsService {
  readonly rowId: string | null
  readonly signName: string
  readonly provider: SmsProvider
}

export interface SmsServices {
  /** The service that is on, as the transaction's tenant has it; the recording one while none is. */
  readonly current: (db: TenantDb) => Promise<SmsService>
  /** The one that a message was given to, also after another was switched on or it was removed; undefined when its row is gone. */
  readonly of: (db: TenantDb, rowId: string | null) => Promise<SmsService | undefined>
  readonly seal: (tenantId: string, rowId: string, secret: string) => Buffer
}

const place = (rowId: string) => ({ table: 'sms_provider', column: 'secret_key_sealed', rowId })

export const createSmsServices = ({ cipher, clock }: Pick<Services, 'cipher' | 'clock'>, gateway: SmsGateway): SmsServices => {
  const made = async (tenantId: string, row: ServiceRow): Promise<SmsService> => {
    const { category } = row
    if (!isSmsCategory(category)) throw new Error(`no provider of text messages of kind ${category}`)
    const account = { ...row, secretKey: cipher.open(tenantId, place(row.id), row.secret) }
    const parts = { account, origin: await gateway.origin(category), outbound: gateway.outbound, clock }
    return { rowId: row.id, signName: row.signName, provider: category === '3' ? createAliyunSms(parts) : createTencentSms(parts) }
  }
  const recording: SmsService = { rowId: null, signName: '', provider: recordingProvider }
  return {
    current: async db => {
      const row = await findServiceOn(db)
      return row ? made(db.actor.tenantId, row) : recording
    },
    of: async (db, rowId) => {
      if (rowId === null) return recording
      const row = await findService(db, rowId)
      return row && made(db.actor.tenantId, row)
    },
    seal: (tenantId, rowId, secret) => cipher.seal(tenantId, place(rowId), secret),
  }
}
