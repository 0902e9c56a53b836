import { lazy, Suspense, useState } from 'react'
import { api } from '#web/kernel/api.ts'
import { encrypt } from '#web/kernel/cipher.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useRead } from '../calls.ts'
import { Empty } from '../kit/blocks.tsx'
import { Card } from '../kit/card.tsx'
import { InAppNote } from '../kit/in-app-note.tsx'
import { Load } from '../kit/load.tsx'
import { ForwardIcon } from '../kit/page-icons.tsx'
import { Callout } from '../kit/page-ui.tsx'
import { Sheet } from '../kit/sheet.tsx'
import { Button, Skeleton } from '../kit/ui.tsx'
import { Closing } from './closing.tsx'
import { meTexts } from './me-texts.ts'
import { OwnPassword } from './own-password.tsx'
import { Reminders } from './reminders.tsx'

/** With the uploads of the sign-up form: for those who ask for a change only. */
const VerifiedChange = lazy(async () => ({ default: (await import('./change.tsx')).VerifiedChange }))

const pageSize = 20

const isPurpose = (purpose: number | null): purpose is 1 | 2 | 3 | 4 => purpose !== null && [1, 2, 3, 4].includes(purpose)

/** One page of the record, and the way to the next one. */
const Seen = ({ current }: { readonly current: number }) => {
  const t = useT(meTexts)
  const [more, setMore] = useState(false)
  const log = useRead('accessLog', { current, size: pageSize }, { staleMs: 0 })
  return (
    <Load query={log} skeleton={[64, 64, 64]}>
      {page =>
        page.total === 0 ? (
          <Empty text={t('access.none')} hint={t('access.noneHint')} />
        ) : (
          <>
            <ul className="p-seen" aria-label={t('access.list')}>
              {page.records.map(row => (
                <li key={`${row.time} ${row.role} ${row.unit} ${row.action} ${row.purpose}`}>
                  <span className="p-strong">{t(`access.${row.action}`)}</span>
                  {isPurpose(row.purpose) && <span className="p-small">{t(`access.for.${row.purpose}`)}</span>}
                  <span className="p-small p-soft" lang="zh-CN">
                    {[row.role, row.unit].filter(part => part !== '').join(' · ')}
                  </span>
                  <time className="p-small p-dim p-num">{minuteOf(row.time)}</time>
                </li>
              ))}
            </ul>
            {page.current < page.pages &&
              (more ? (
                <Seen current={current + 1} />
              ) : (
                <Button block onClick={() => setMore(true)}>
                  {t('access.more')}
                </Button>
              ))}
          </>
        )
      }
    </Load>
  )
}

/** What will be erased, and when; beside who has seen it. */
const Erasures = () => {
  const t = useT(meTexts)
  const erasures = useRead('erasures', {}, { staleMs: 0 })
  return (
    <section className="p-stack p-gap-s">
      <h3>{t('erase.title')}</h3>
      <p className="p-small p-soft">{t('erase.hint')}</p>
      <Load query={erasures} skeleton={[48]}>
        {rows =>
          rows.length === 0 ? (
            <p className="p-dim">{t('erase.none')}</p>
          ) : (
            <ul className="p-seen">
              {rows.map(row => (
                <li key={`${row.signupId} ${row.what}`}>
                  <span className="p-strong">{row.what}</span>
                  <span className="p-small p-soft" lang="zh-CN">
                    {row.examName}
                  </span>
                  <span className="p-small p-num">
                    {row.on === null ? t('erase.after', { days: row.days }) : t('erase.on', { day: row.on })}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Load>
    </section>
  )
}

const Export = () => {
  const t = useT(meTexts)
  const send = async (password: string) => {
    await api.download(
      {
        method: 'POST',
        path: '/me/export',
        body: async () => (password === '' ? {} : { password: await encrypt(password) }),
        quiet: true,
        timeoutMs: 120_000,
      },
      t('export.file'),
    )
    notify('success', t('export.done'))
  }
  return (
    <>
      <p>{t('export.intro')}</p>
      <Callout tone="warning">{t('export.limit')}</Callout>
      <InAppNote />
      <OwnPassword button={t('export.go')} onSend={send} />
    </>
  )
}

const doors = ['change', 'access', 'export', 'closing'] as const
type Door = (typeof doors)[number]

/**
 * What a person may ask about their own data: a change of what was verified, who saw it (domain 6.3), a copy of it, news of examinations, the
 * end of the account.
 */
export const OwnData = () => {
  const t = useT(meTexts)
  const [open, setOpen] = useState<Door | null>(null)
  const closing = useRead('closing', {}, { staleMs: 0 })
  const hintOf = (door: Door) => t(door === 'closing' && closing.data?.state === 'waiting' ? 'closing.waitingShort' : `${door}.short`)
  return (
    <Card title={t('data.title')}>
      <Reminders />
      <div>
        {doors.map(door => (
          <button key={door} type="button" className="p-door" aria-haspopup="dialog" onClick={() => setOpen(door)}>
            <span>
              {t(`${door}.title`)}
              <small>{hintOf(door)}</small>
            </span>
            <ForwardIcon size={20} />
          </button>
        ))}
      </div>
      {open !== null && (
        <Sheet title={t(`${open}.title`)} firm={open !== 'access'} onClose={() => setOpen(null)}>
          {open === 'change' ? (
            <Suspense fallback={<Skeleton rows={[120, 240]} />}>
              <VerifiedChange />
            </Suspense>
          ) : open === 'access' ? (
            <>
              <p className="p-small p-soft">{t('access.intro')}</p>
              <Seen current={1} />
              <Erasures />
            </>
          ) : open === 'export' ? (
            <Export />
          ) : (
            <Closing />
          )}
        </Sheet>
      )}
    </Card>
  )
}
