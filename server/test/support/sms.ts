import { sql } from '#kernel/db/sql.ts'
import { smsSceneSeeds } from '#modules/message/index.ts'
import type { SmsEmulator } from '#server/demo/sms-emulator/emulator.ts'
import type { Person, TestApp, TestTenant } from './app.ts'
import { sealFor } from './login.ts'

/** Address of the installation in tests. */
export const testSite = 'http://localhost:7300'

export const smsEmulatorOf = async (t: TestApp): Promise<SmsEmulator> => {
  const { sms } = t.app
  if (!sms) throw new Error('the test application has no emulator of text messages')
  return sms.emulator()
}

/** The form of a service at the emulator: `3` Aliyun, `4` Tencent. */
export const serviceForm = (t: TestApp, category: '3' | '4', more: object = {}) => ({
  category,
  smsCode: category === '3' ? 'aliyun' : 'tencent',
  signName: '考谱',
  templateId: category === '3' ? 'SMS_900100001' : '900100001',
  accessKey: category === '3' ? 'LTAI-demo' : 'LTAI-demo-tencent',
  secretKey: sealFor(t, 'demo-secret'),
  appId: category === '3' ? '' : '1400000000',
  ...more,
})

/** A service at the emulator that is on. @returns its id */
export const switchedOn = async (t: TestApp, admin: Person, category: '3' | '4', more: object = {}): Promise<string> => {
  const added = await admin.post('/blade-resource/sms/submit', { json: serviceForm(t, category, more) })
  if (added.status !== 200) throw new Error(JSON.stringify(added.body))
  const { id } = added.body.data
  const on = await admin.post('/blade-resource/sms/enable', { json: { id } })
  if (on.status !== 200) throw new Error(JSON.stringify(on.body))
  return id
}

/** The product's texts under their numbers at the emulator. */
export const registerTemplates = async (
  tenant: TestTenant,
  category: '3' | '4' = '3',
  wanted: readonly string[] = ['refund-done', 'login-code'],
): Promise<void> => {
  const rows = smsSceneSeeds(testSite).filter(({ scene }) => wanted.includes(scene))
  for (const { scene, content, templateId: number } of rows)
    await tenant.rows(sql`
      insert into send_template (tenant_id, code, name, scene, content, template_id)
      values (${tenant.tenantId}, ${scene}, ${scene}, ${scene}, ${content}, ${category === '3' ? number : number.replace('SMS_', '')}) returning id`)
}
