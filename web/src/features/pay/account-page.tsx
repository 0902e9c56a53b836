import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { PayChannel } from '#contract/pay/channel.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCan } from '#web/kernel/permission.ts'
import { useCall } from '#web/kernel/query.ts'
import { Facts } from '#web/ui/facts.tsx'
import { EmptyState, Loaded } from '#web/ui/states.tsx'
import { payTexts } from './texts.ts'
import './pay.css'

const AccountDialog = lazy(async () => ({ default: (await import('./account-dialog.tsx')).AccountDialog }))
const read = 'GET /blade-exam/examination/getPayAccount'

/** The merchant account of the tenant: numbers to compare with the provider's console, keys only going in. */
export const Page = () => {
  const t = useT(payTexts)
  const can = useCan()
  const client = useQueryClient()
  const [editing, setEditing] = useState<PayChannel | null>(null)
  const account = useCall(read, {})
  return (
    <>
      <div className="page-head">
        <h1>{t('account.title')}</h1>
      </div>
      <Loaded query={account}>
        {accounts => {
          const { account: of, isDemo, notifyUrl, alipay, alipayNotifyUrl, nontax, nontaxNotifyUrl } = accounts
          const mayEdit = can('payaccount_edit') && !isDemo
          const editOf = (channel: PayChannel, text: string) =>
            mayEdit ? (
              <button
                type="button"
                className={channel === 'wechat' ? 'button button-primary' : 'button'}
                onClick={() => setEditing(channel)}
              >
                {text}
              </button>
            ) : undefined
          const edit = editOf('wechat', t(of === null ? 'account.add' : 'account.edit'))
          const editAlipay = editOf('alipay', t(alipay === null ? 'alipay.add' : 'alipay.edit'))
          const editNontax = editOf('nontax', t(nontax === null ? 'nontax.add' : 'nontax.edit'))
          return (
            <section className="card pay-account">
              <h2>{t('account.wechat')}</h2>
              {isDemo ? <p className="pay-note">{t('account.demo')}</p> : mayEdit ? null : <p className="pay-note">{t('account.who')}</p>}
              {of === null ? (
                <EmptyState text={t('account.none')} action={edit} />
              ) : (
                <>
                  <Facts
                    items={[
                      { key: 'mchid', label: t('account.mchid'), value: of.mchid },
                      { key: 'appid', label: t('account.appid'), value: of.appid },
                      { key: 'serial', label: t('account.serial'), value: of.merchantSerial },
                      { key: 'privateKey', label: t('account.privateKey'), value: t('account.stored') },
                      { key: 'apiKey', label: t('account.apiKey'), value: t('account.stored') },
                      { key: 'jsapi', label: t('account.jsapi'), value: t(of.hasAppSecret ? 'account.open' : 'account.closed') },
                      { key: 'h5', label: t('account.h5'), value: t(of.h5 === 1 ? 'account.open' : 'account.closed') },
                      {
                        key: 'trust',
                        label: t('account.trust'),
                        value:
                          of.trustMode === 'publicKey'
                            ? t('account.trust.publicKey', { id: of.publicKeyId ?? '' })
                            : t('account.trust.certificate'),
                      },
                      { key: 'notify', label: t('account.notify'), value: notifyUrl },
                      {
                        key: 'updated',
                        label: t('account.updated'),
                        value: [of.updateUser, minuteOf(of.updateTime)].filter(text => text !== null).join(' '),
                      },
                    ]}
                  />
                  {edit === undefined ? null : <div>{edit}</div>}
                </>
              )}
              <h2>{t('alipay.title')}</h2>
              {alipay === null ? (
                <EmptyState text={t('alipay.none')} action={editAlipay} />
              ) : (
                <>
                  <Facts
                    items={[
                      { key: 'appId', label: t('alipay.appId'), value: alipay.appId },
                      { key: 'sellerId', label: t('alipay.sellerId'), value: alipay.sellerId },
                      { key: 'alipayKey', label: t('alipay.privateKey'), value: t('account.stored') },
                      { key: 'alipayNotify', label: t('account.notify'), value: alipayNotifyUrl },
                      {
                        key: 'alipayUpdated',
                        label: t('account.updated'),
                        value: [alipay.updateUser, minuteOf(alipay.updateTime)].filter(text => text !== null).join(' '),
                      },
                    ]}
                  />
                  {editAlipay === undefined ? null : <div>{editAlipay}</div>}
                </>
              )}
              <h2>{t('nontax.title')}</h2>
              {nontax === null ? (
                <EmptyState text={t('nontax.none')} action={editNontax} />
              ) : (
                <>
                  <Facts
                    items={[
                      { key: 'nontaxOrigin', label: t('nontax.origin'), value: nontax.origin },
                      { key: 'nontaxAppId', label: t('nontax.appId'), value: nontax.appId },
                      { key: 'unitCode', label: t('nontax.unitCode'), value: nontax.unitCode },
                      { key: 'itemCode', label: t('nontax.itemCode'), value: nontax.itemCode },
                      { key: 'nontaxKey', label: t('nontax.privateKey'), value: t('account.stored') },
                      { key: 'nontaxNotify', label: t('account.notify'), value: nontaxNotifyUrl },
                      {
                        key: 'nontaxUpdated',
                        label: t('account.updated'),
                        value: [nontax.updateUser, minuteOf(nontax.updateTime)].filter(text => text !== null).join(' '),
                      },
                    ]}
                  />
                  {editNontax === undefined ? null : <div>{editNontax}</div>}
                </>
              )}
              {editing === null ? null : (
                <Suspense>
                  <AccountDialog
                    channel={editing}
                    accounts={accounts}
                    onClose={() => setEditing(null)}
                    onDone={() => void client.invalidateQueries({ queryKey: [read] })}
                  />
                </Suspense>
              )}
            </section>
          )
        }}
      </Loaded>
    </>
  )
}
