import type { Label } from '#contract/kernel/label.ts'
import { channelLabels, type PayChannel, payChannels } from '#contract/pay/channel.ts'
import { randomDigits } from '#kernel/random.ts'
import type { PayKit } from '../deps.ts'

/** Providers that the tenant has an account with. */
export const listChannels = async (kit: PayKit, tenantId: string): Promise<readonly PayChannel[]> => {
  const found: PayChannel[] = []
  for (const channel of payChannels) if (await kit.providers.of(tenantId, channel)) found.push(channel)
  return found
}

/**
 * Asks each provider about an order that nobody has made, signed with the account's keys: a signed “there is no such order” proves numbers, keys and the
 * way there. Nothing is paid and nothing is kept.
 */
export const tryAccounts = async (
  kit: PayKit,
  tenantId: string,
): Promise<readonly (Label & { readonly channel: PayChannel; readonly isOk: boolean })[]> => {
  const said = []
  for (const channel of await listChannels(kit, tenantId)) {
    const merchant = await kit.providers.of(tenantId, channel)
    const answer = await merchant?.provider.query(`T${randomDigits(27)}`)
    if (!answer) continue
    const name = channelLabels[channel]
    const isOk = answer.ok || answer.problem.kind === 'not-found'
    const why = answer.ok
      ? ''
      : `${answer.problem.kind} ${answer.problem.providerCode ?? ''} ${answer.problem.detail}`.replace(/\s+/g, ' ').trim()
    said.push({
      channel,
      isOk,
      zh: isOk ? `${name.zh}：商户号和密钥有效` : `${name.zh}：${why}`,
      en: isOk ? `${name.en}: number and keys are right` : `${name.en}: ${why}`,
    })
  }
  return said
}
