import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { cannedAdvice } from '#contract/signup/canned-advice.ts'
import { type ApiOutput, api } from '#web/kernel/api.ts'
import { useLabel, useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCall } from '#web/kernel/query.ts'
import { useSession } from '#web/kernel/session.ts'
import { ExamMissing } from '#web/resource/exam-missing.tsx'
import { useExamChoice } from '#web/resource/within.tsx'
import { goTo } from '#web/shell/go.ts'
import { confirm } from '#web/ui/dialog.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { EmptyState, Loaded } from '#web/ui/states.tsx'
import { photoTexts } from './texts.ts'
import './photos.css'

type Wall = ApiOutput<'GET /blade-signup/signup/getExamAvatarList'>
type Photo = Wall['records'][number]
type State = 0 | 1 | 2
const call = 'GET /blade-signup/signup/getExamAvatarList'
/** Sign-ups of one call: each is a decision of its own, and progress is seen between them. */
const atOnce = 20
const filters = ['all', 'unseen', 'good', 'bad'] as const
const stateOfFilter = { unseen: 0, good: 1, bad: 2 } as const

const Card = ({
  photo,
  isCurrent,
  onChoose,
  onMark,
}: {
  readonly photo: Photo
  readonly isCurrent: boolean
  readonly onChoose: () => void
  readonly onMark: (state: State) => void
}) => {
  const t = useT(photoTexts)
  const state = photo.photoState as State
  const name = photo.name ?? photo.signNo ?? ''
  const word = state === 1 ? t('good') : state === 2 ? t('bad') : t('filter.unseen')
  return (
    <li>
      <button
        type="button"
        className="photos-card"
        data-state={state}
        data-photo={photo.signUpId}
        aria-current={isCurrent}
        tabIndex={isCurrent ? 0 : -1}
        onClick={onChoose}
        onFocus={onChoose}
      >
        {photo.link === null ? <span>{t('broken')}</span> : <img src={photo.link} alt="" loading="lazy" width={295} height={413} />}
        <span>{name}</span>
        <small>
          {photo.code} {photo.codeName}
        </small>
        <span className="photos-mark">{word}</span>
        {photo.advice === null ? null : <small>{photo.advice}</small>}
        {photo.findings.length === 0 ? null : <small>{t('findings', { rules: photo.findings.join(', ') })}</small>}
        {photo.mayReturn ? null : <small>{t('closed')}</small>}
      </button>
      <div className="photos-acts">
        <button type="button" className="link-button" aria-label={`${t('good')} ${name}`} tabIndex={-1} onClick={() => onMark(1)}>
          {t('good')}
        </button>
        <button
          type="button"
          className="link-button"
          data-danger="true"
          aria-label={`${t('bad')} ${name}`}
          tabIndex={-1}
          onClick={() => onMark(2)}
        >
          {t('bad')}
        </button>
      </div>
    </li>
  )
}

const Photos = ({ examId }: { readonly examId: string }) => {
  const t = useT(photoTexts)
  const label = useLabel()
  const client = useQueryClient()
  const isOffice = useSession(session => session.user?.roles.includes('exam_admin')) ?? false
  const [filter, setFilter] = useState<(typeof filters)[number]>('unseen')
  const [all, setAll] = useState(false)
  const [page, setPage] = useState({ current: 1, size: 50 })
  const canned = useMemo(() => cannedAdvice.photo.map(one => label(one)), [label])
  const [chosen, setChosen] = useState(0)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const [extend, setExtend] = useState(false)
  const [going, setGoing] = useState<{ readonly done: number; readonly count: number } | null>(null)
  const [kept, setKept] = useState<readonly { readonly signUpId: string; readonly signNo: string | null; readonly reason: string }[]>([])
  const [saving, setSaving] = useState(0)
  const grid = useRef<HTMLUListElement>(null)
  const input = { examId, ...page, ...(filter === 'all' ? {} : { photoState: stateOfFilter[filter] }), ...(all ? { all: 1 as const } : {}) }
  // A photo that has just been marked stays where it is until the page is left: the next one must not slip under the finger.
  const wall = useCall(call, input, { quiet: true, keepPrevious: true })
  const [marks, setMarks] = useState<ReadonlyMap<string, { readonly photoState: State; readonly advice: string | null }>>(new Map())
  const advice = chosen < canned.length ? (canned[chosen] ?? '') : typed.trim()

  const refresh = async () => {
    setMarks(new Map())
    await client.invalidateQueries({ queryKey: [call] })
  }
  const mark = async (photos: readonly Photo[], photoState: State) => {
    if (photoState === 2 && advice === '') return notify('warning', t('other.label'))
    const said = photoState === 2 ? advice : null
    setMarks(old => new Map([...old, ...photos.map(one => [one.signUpId, { photoState, advice: said }] as const)]))
    setSaving(count => count + 1)
    try {
      const { stale } = await api.call('POST /blade-signup/signup/savePhotoMarks', {
        examId,
        marks: photos.map(one => ({
          signUpId: one.signUpId,
          signVersion: one.signVersion,
          photoState,
          ...(said === null ? {} : { advice: said }),
        })),
      })
      if (stale.length > 0) {
        notify('warning', t('stale', { count: stale.length }))
        await refresh()
      }
    } catch {
      // The api client has said why; what was not saved is shown as it is.
      await refresh()
    } finally {
      setSaving(count => count - 1)
    }
  }
  const send = async (count: number) => {
    if (!(await confirm({ title: t('send', { count }), text: t('send.ask', { count }), danger: true }))) return
    const ids: string[] = []
    for (let current = 1; ids.length < count; current += 1) {
      const { records } = await api.call(call, { examId, photoState: 2, current, size: 200 })
      if (records.length === 0) break
      ids.push(...records.filter(one => one.mayReturn).map(one => one.signUpId))
    }
    let returned = 0
    const left: { signUpId: string; signNo: string | null; reason: string }[] = []
    setGoing({ done: 0, count: ids.length })
    try {
      for (let from = 0; from < ids.length; from += atOnce) {
        const answer = await api.call('POST /blade-signup/signup/returnPhotos', {
          examId,
          signUpIds: ids.slice(from, from + atOnce).join(','),
          ...(extend ? { extendHours: 24 } : {}),
        })
        returned += answer.returned
        left.push(...answer.kept)
        setGoing({ done: Math.min(ids.length, from + atOnce), count: ids.length })
      }
    } catch {
      // The api client has said why; those not sent keep their marks.
    } finally {
      setGoing(null)
      setKept(left)
      notify(left.length === 0 ? 'success' : 'warning', t('send.done', { count: returned }))
      await refresh()
    }
  }
  const shownOf = (photo: Photo): Photo => ({ ...photo, ...marks.get(photo.signUpId) })
  const focus = (index: number) => {
    setAt(index)
    grid.current?.querySelectorAll<HTMLButtonElement>('.photos-card')[index]?.focus()
  }
  const onKey = (event: KeyboardEvent, photos: readonly Photo[]) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const columns = Math.max(1, grid.current === null ? 1 : getComputedStyle(grid.current).gridTemplateColumns.split(' ').length)
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns, Home: -photos.length, End: photos.length }[
      event.key
    ]
    const photo = photos[at]
    if (step !== undefined) {
      event.preventDefault()
      focus(Math.min(photos.length - 1, Math.max(0, at + step)))
    } else if (photo !== undefined && (event.key === '0' || event.key === '1' || event.key === '2')) {
      event.preventDefault()
      void mark([photo], Number(event.key) as State)
      if (event.key !== '0') focus(Math.min(photos.length - 1, at + 1))
    } else if (photo !== undefined && event.key === 'Enter') {
      event.preventDefault()
      goTo(`/examine/work/${photo.signUpId}`)
    }
  }
  return (
    <Loaded query={wall} skeletonRows={8}>
      {({ records, counts, total }) => {
        const photos = records.map(shownOf)
        const fresh = [...marks.values()]
        const bad =
          counts.bad +
          fresh.filter(one => one.photoState === 2).length -
          records.filter(one => one.photoState === 2 && marks.has(one.signUpId)).length
        return (
          <>
            <div className="photos-bar">
              <fieldset className="segmented" aria-label={t('filter')}>
                {filters.map(each => (
                  <button
                    key={each}
                    type="button"
                    aria-pressed={filter === each}
                    onClick={() => {
                      setFilter(each)
                      setPage({ ...page, current: 1 })
                      setAt(0)
                      void refresh()
                    }}
                  >
                    {t(`filter.${each}`)}
                    {each === 'all' ? '' : ` ${counts[each]}`}
                  </button>
                ))}
              </fieldset>
              <label className="photos-check">
                <input type="checkbox" checked={all} onChange={event => setAll(event.target.checked)} /> {t('reviewed')}
              </label>
              <label>
                <span>{t('advice')}</span>
                <select className="input" value={chosen} onChange={event => setChosen(Number(event.target.value))}>
                  {canned.map((text, index) => (
                    <option key={text} value={index}>
                      {text}
                    </option>
                  ))}
                  <option value={canned.length}>{t('other')}</option>
                </select>
              </label>
              {chosen < canned.length ? null : (
                <label>
                  <span>{t('other.label')}</span>
                  <input className="input" maxLength={200} value={typed} onChange={event => setTyped(event.target.value)} />
                </label>
              )}
              <button
                type="button"
                className="button"
                disabled={photos.every(one => one.photoState !== 0)}
                onClick={() =>
                  void mark(
                    photos.filter(one => one.photoState === 0),
                    1,
                  )
                }
              >
                {t('pageGood')}
              </button>
              <div className="photos-send">
                {isOffice ? (
                  <label className="photos-check">
                    <input type="checkbox" checked={extend} onChange={event => setExtend(event.target.checked)} /> {t('extend')}
                  </label>
                ) : null}
                <button
                  type="button"
                  className="button button-primary"
                  disabled={bad === 0 || going !== null || saving > 0}
                  onClick={() => void send(bad)}
                >
                  {going === null ? t('send', { count: bad }) : t('send.going', going)}
                </button>
              </div>
              <span role="status">{saving > 0 ? t('saving') : ''}</span>
            </div>
            {kept.length === 0 ? null : (
              <div className="card" role="alert">
                <p>{t('send.kept', { count: kept.length })}</p>
                <ul>
                  {kept.map(one => (
                    <li key={one.signUpId}>
                      {one.signNo ?? one.signUpId}：{one.reason}
                    </li>
                  ))}
                </ul>
              </div>
            )}
            {photos.length === 0 ? (
              <EmptyState text={t('empty')} />
            ) : (
              <ul ref={grid} className="photos-grid" onKeyDown={event => onKey(event, photos)}>
                {photos.map((photo, index) => (
                  <Card
                    key={photo.signUpId}
                    photo={photo}
                    isCurrent={index === Math.min(at, photos.length - 1)}
                    onChoose={() => setAt(index)}
                    onMark={state => void mark([photo], state)}
                  />
                ))}
              </ul>
            )}
            <Pager
              current={page.current}
              size={page.size}
              total={total}
              onChange={(current, size) => {
                setPage({ current, size })
                setAt(0)
                void refresh()
              }}
            />
          </>
        )
      }}
    </Loaded>
  )
}

/** Portraits of an examination one beside the other (domain 5.8): looked at by the hundred, sent back in one go. */
export const Page = () => {
  const t = useT(photoTexts)
  const { examId, bar, none } = useExamChoice(true)
  if (none || examId === null) return <ExamMissing text={t('none')} />
  return (
    <div className="photos">
      <div className="page-head">
        <h1>{t('title')}</h1>
      </div>
      <p className="page-lead">{t('lead')}</p>
      {bar}
      <Photos key={examId} examId={examId} />
    </div>
  )
}
