import { useEffect, useState } from 'react'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { isApiError } from '#web/kernel/api-error.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { enterAt } from '#web/kernel/leave.ts'
import { useSaid } from '#web/kernel/said.ts'
import { useSearchParams } from '../kit/address.ts'
import { Callout, PageTitle } from '../kit/page-ui.tsx'
import { Button } from '../kit/ui.tsx'
import { Waiting } from '../waiting.tsx'
import { objectTexts } from './object-texts.ts'

type Standing = ApiOutput<'POST /blade-userappeal/userappeal/objection'>

/** Where the owner of an account stops a change that somebody else asked for; opened by the link that was sent to the owner's phone. */
export const ObjectPage = () => {
  const t = useT(objectTexts)
  const [params] = useSearchParams()
  // Behind the hash it is sent to no server with the page.
  const code = window.location.hash.slice(1) || (params.get('code') ?? '')
  const [standing, setStanding] = useState<Standing | null>(null)
  const [done, setDone] = useState<ApiOutput<'POST /blade-userappeal/userappeal/object'> | null>(null)
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useSaid<string | null>(null)
  useEffect(() => {
    let here = true
    api
      .call('POST /blade-userappeal/userappeal/objection', { code }, { quiet: true })
      .then(found => here && setStanding(found))
      .catch((error: unknown) => {
        if (here) setWrong(isApiError(error) && error.status !== 404 && error.status !== 400 ? error.message : t('object.unknown'))
      })
    return () => {
      here = false
    }
  }, [code, t, setWrong])
  const object = async () => {
    setBusy(true)
    setWrong(null)
    try {
      const made = await api.call('POST /blade-userappeal/userappeal/object', { code }, { quiet: true })
      setStanding(made)
      setDone(made)
    } catch (error) {
      if (!isApiError(error)) throw error
      setWrong(error.message)
    } finally {
      setBusy(false)
    }
  }
  if (standing === null && wrong === null) return <Waiting />
  return (
    <>
      <PageTitle title={t('object.title')} />
      <div className="p-stack p-gap-l">
        {wrong !== null && (
          <Callout tone="danger" live>
            {wrong}
          </Callout>
        )}
        {done !== null && (
          <Callout tone="success" live>
            <strong>{t('object.done')}</strong>
            <p>{t('object.receipt', { no: done.no, time: minuteOf(done.time) })}</p>
            <p>{t('object.next')}</p>
          </Callout>
        )}
        {standing !== null && done === null && !standing.open && wrong === null && <Callout tone="neutral">{t('object.closed')}</Callout>}
        {standing?.open === true && (
          <section className="p-card p-stack p-gap-l">
            <p>
              <strong>{t(`object.what.${standing.kind}`)}</strong>
            </p>
            <p>{t('object.lead')}</p>
            <div className="p-row">
              <Button look="primary" busy={busy} onClick={() => void object()}>
                {t('object.do')}
              </Button>
              <Button onClick={() => enterAt('/login')}>{t('object.mine')}</Button>
            </div>
          </section>
        )}
      </div>
    </>
  )
}
