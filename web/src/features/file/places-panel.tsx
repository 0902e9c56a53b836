import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { oss } from '#contract/file/oss.resource.ts'
import type { FileMoveView, FilePlace } from '#contract/file/storage.routes.ts'
import { api } from '#web/kernel/api.ts'
import { minuteOf, sizeOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { listKey } from '#web/resource/crud-page.tsx'
import { confirm } from '#web/ui/dialog.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { fileTexts } from './texts.ts'

/** Below the key of the list: what changes a storage draws both anew. */
const placesKey = [...listKey(oss.name), 'places']
const pollMs = 2_000
const going = 1

const Place = ({ place }: { readonly place: FilePlace }) => {
  const t = useT(fileTexts)
  const name =
    place.ossCode !== ''
      ? place.ossCode
      : place.isPlatform === 1
        ? t('places.platform')
        : place.ossId === ''
          ? t('places.disk')
          : t('places.removed')
  return (
    <li>
      <strong>{name}</strong>
      <span>{t('places.count', { files: place.files, size: sizeOf(place.bytes) })}</span>
      {place.isChosen === 1 ? <span className="tag">{t('places.chosen')}</span> : null}
    </li>
  )
}

const LastMove = ({ move }: { readonly move: FileMoveView }) => {
  const t = useT(fileTexts)
  const values = { moved: move.moved, total: move.total, size: sizeOf(move.bytes), time: minuteOf(move.endTime ?? move.startTime) }
  return (
    <>
      <p className="file-quiet">{t(move.state === 2 ? 'move.ended.2' : move.state === 3 ? 'move.ended.3' : 'move.ended.4', values)}</p>
      {move.failed > 0 ? <p className="field-error">{t('move.failed', { failed: move.failed, problem: move.problem })}</p> : null}
      {move.state === 3 && move.failed === 0 ? <p className="field-error">{t('move.problem', { problem: move.problem })}</p> : null}
    </>
  )
}

/** Where files lie, and moving them to where new ones go. */
export const PlacesPanel = () => {
  const t = useT(fileTexts)
  const can = useCan()
  const client = useQueryClient()
  const [all, setAll] = useState(false)
  const asked = all ? { all: 1 as const } : {}
  const { data } = useQuery({
    queryKey: [...placesKey, all],
    queryFn: ({ signal }) => api.call('GET /blade-resource/oss/places', asked, { signal, quiet: true }),
    refetchInterval: query => (query.state.data?.move?.state === going ? pollMs : false),
  })
  if (data === undefined) return null
  const { places, elsewhere, move, mayAll } = data
  const isGoing = move?.state === going
  const reload = () => client.invalidateQueries({ queryKey: placesKey })
  const start = async () => {
    if (!(await confirm({ title: t('move.start'), text: t('move.ask', { files: elsewhere }), ok: t('move.start') }))) return
    try {
      const { files } = await api.call('POST /blade-resource/oss/move', asked)
      notify('success', t('move.started', { files }))
    } catch {
      // The api client has said why.
    }
    await reload()
  }
  const cancel = async () => {
    if (!(await confirm({ title: t('move.cancel'), text: t('move.cancel.ask'), ok: t('move.cancel') }))) return
    try {
      await api.call('POST /blade-resource/oss/cancel-move', asked)
      notify('success', t('move.cancelled'))
    } catch {
      // The api client has said why.
    }
    await reload()
  }
  const done = move === null ? 0 : move.moved + move.failed
  const percent = move === null || move.total === 0 ? 0 : Math.min(100, Math.round((done / move.total) * 100))
  return (
    <section className="card file-places" aria-label={t('places.title')}>
      <div className="file-places-head">
        <h2>{t('places.title')}</h2>
        {mayAll === 1 ? (
          <label className="file-all">
            <input type="checkbox" checked={all} onChange={event => setAll(event.target.checked)} />
            {t('places.all')}
          </label>
        ) : null}
      </div>
      <ul>
        {places.map(place => (
          <Place key={place.ossId} place={place} />
        ))}
      </ul>
      {isGoing && move !== null ? (
        <ProgressBar percent={percent} text={t('move.going', { done, total: move.total })} label={t('move.start')}>
          {can('oss_move') ? (
            <button type="button" className="link-button" onClick={() => void cancel()}>
              {t('move.cancel')}
            </button>
          ) : null}
        </ProgressBar>
      ) : move === null ? null : (
        <LastMove move={move} />
      )}
      {!isGoing && elsewhere > 0 ? (
        <div className="file-places-head">
          <p>{t('places.elsewhere', { files: elsewhere })}</p>
          {can('oss_move') ? (
            <button type="button" className="button" onClick={() => void start()}>
              {t('move.start')}
            </button>
          ) : null}
        </div>
      ) : null}
    </section>
  )
}
