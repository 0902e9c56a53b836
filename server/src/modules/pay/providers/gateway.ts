import type { Language } from '#contract/kernel/label.ts'
import type { AllowedServers } from '#kernel/allowed-servers.ts'
import type { Outbound } from '#kernel/outbound.ts'
import type { AlipaySettings } from './alipay.ts'
import type { NontaxSettings } from './nontax.ts'
import type { WechatPaySettings } from './wechat-channel.ts'

/** Where the provider is. In production its own address; in demo and test an emulator that speaks the same wire (decision 2.12). */
export interface PayGateway {
  readonly outbound: Outbound
  readonly origin: () => Promise<string>
  readonly alipayOrigin: () => Promise<string>
  /** The non-tax platforms that the operator allows: each province has one of its own. */
  readonly nontax: AllowedServers
  /** Demo and test: the merchant account of a tenant, made on first use. */
  readonly makeAccount?: (tenantId: string) => Promise<WechatPaySettings>
  /** Demo and test: the application of a tenant at Alipay, made on first use. */
  readonly makeAlipay?: (tenantId: string) => Promise<AlipaySettings>
  /** Demo and test: the office of a tenant at the non-tax platform, made on first use. */
  readonly makeNontax?: (tenantId: string) => Promise<NontaxSettings>
  /** Demo and test: the page that stands for WeChat's question who its user is. */
  readonly demoAuthorizePage?: string
  /** Demo and test: the page where a person presses "pay". */
  readonly demoPayUrl?: (codeUrl: string, language: Language) => string
}
