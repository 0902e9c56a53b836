import { platformTenant } from '#contract/kernel/platform.ts'
import { serviceOn } from '#contract/message/sms.resource.ts'
import { systemOf, type TenantDb } from '#kernel/db/scope.ts'
import type { Services } from '#server/services.ts'
import { findService, findServiceOn, listServices, type ServiceRow } from '../data/service.repo.ts'
import { listNumberedScenes, type TemplateRow } from '../data/template.repo.ts'
import { createAliyunSms } from './aliyun.ts'
import { isSmsCategory, type SmsGateway } from './gateway.ts'
import type { SmsProvider } from './provider.ts'
import { recordingProvider } from './recording.ts'
import { createTencentSms } from './tencent.ts'

/** A service of a tenant or of the platform, ready to be called; `rowId` is null of the one that only records. */
export interface SmsService {
  readonly rowId: string | null
  /** Whose it is: a tenant without a service of its own sends by the platform's. */
  readonly ownerId: string
  readonly signName: string
  readonly provider: SmsProvider
}

export interface SmsServices {
  /** The service that is on, as the transaction's tenant has it, else the platform's; the recording one while neither has one. */
  readonly current: (db: TenantDb) => Promise<SmsService>
  /** The one that a message was given to, also after another was switched on or it was removed; undefined when its row is gone. */
  readonly of: (db: TenantDb, rowId: string | null) => Promise<SmsService | undefined>
  readonly seal: (tenantId: string, rowId: string, secret: string) => Buffer
  /** The platform's words of an event with their number at its provider: only its own service knows them. */
  readonly platformScene: (scene: string) => Promise<TemplateRow | undefined>
  /** The platform's services or words have changed. */
  readonly forget: () => void
}

const place = (rowId: string) => ({ table: 'sms_provider', column: 'secret_key_sealed', rowId })

export const createSmsServices = (
  { cipher, clock, scopes }: Pick<Services, 'cipher' | 'clock' | 'scopes'>,
  gateway: SmsGateway,
): SmsServices => {
  const made = async (tenantId: string, row: ServiceRow): Promise<SmsService> => {
    const { category } = row
    if (!isSmsCategory(category)) throw new Error(`no provider of text messages of kind ${category}`)
    const account = { ...row, secretKey: cipher.open(tenantId, place(row.id), row.secret) }
    const parts = { account, origin: await gateway.origin(category), outbound: gateway.outbound, clock }
    return {
      rowId: row.id,
      ownerId: tenantId,
      signName: row.signName,
      provider: category === '3' ? createAliyunSms(parts) : createTencentSms(parts),
    }
  }
  const recording: SmsService = { rowId: null, ownerId: platformTenant, signName: '', provider: recordingProvider }
  const readPlatform = () =>
    scopes.tx(systemOf(platformTenant), clock.now(), async db => ({
      services: await listServices(db),
      scenes: await listNumberedScenes(db),
    }))
  let known: ReturnType<typeof readPlatform> | undefined
  const platform = () => {
    const reading = known ?? readPlatform()
    known = reading
    reading.catch(() => {
      if (known === reading) known = undefined
    })
    return reading
  }
  const platformService = async (isMeant: (row: ServiceRow & { isDeleted: boolean }) => boolean): Promise<SmsService | undefined> => {
    const row = (await platform()).services.find(isMeant)
    return row && made(platformTenant, row)
  }
  return {
    current: async db => {
      const row = await findServiceOn(db)
      if (row) return made(db.actor.tenantId, row)
      return (await platformService(one => one.status === serviceOn && !one.isDeleted)) ?? recording
    },
    of: async (db, rowId) => {
      if (rowId === null) return recording
      const row = await findService(db, rowId)
      return row ? made(db.actor.tenantId, row) : platformService(one => one.id === rowId)
    },
    seal: (tenantId, rowId, secret) => cipher.seal(tenantId, place(rowId), secret),
    platformScene: async scene => (await platform()).scenes.find(one => one.scene === scene),
    forget: () => {
      known = undefined
    },
  }
}
