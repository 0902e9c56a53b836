import { type PointerEvent, useId, useRef, useState } from 'react'
import type { PackPerson, RoomPack } from '#contract/ticket/exam-day.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { useLang, useT } from '#web/kernel/i18n/index.ts'
import { fileForm } from './day.ts'
import { siteTexts } from './texts.ts'

const [padWidth, padHeight] = [640, 220]
const maxPictures = 3
const maxPictureBytes = 8 * 1024 * 1024

/** A box to sign in by finger, pen or mouse. */
const Pad = ({ label, onChange }: { readonly label: string; readonly onChange: (picture: Blob | null) => void }) => {
  const t = useT(siteTexts)
  const canvas = useRef<HTMLCanvasElement>(null)
  const isDown = useRef(false)
  const at = (event: PointerEvent<HTMLCanvasElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    return [((event.clientX - box.left) / box.width) * padWidth, ((event.clientY - box.top) / box.height) * padHeight] as const
  }
  const pen = () => {
    const context = canvas.current?.getContext('2d') ?? null
    if (context) Object.assign(context, { lineWidth: 5, lineCap: 'round', lineJoin: 'round', strokeStyle: '#111' })
    return context
  }
  const begin = (event: PointerEvent<HTMLCanvasElement>) => {
    isDown.current = true
    event.currentTarget.setPointerCapture(event.pointerId)
    const context = pen()
    context?.beginPath()
    context?.moveTo(...at(event))
  }
  const move = (event: PointerEvent<HTMLCanvasElement>) => {
    if (!isDown.current) return
    const context = pen()
    context?.lineTo(...at(event))
    context?.stroke()
  }
  const end = () => {
    if (!isDown.current) return
    isDown.current = false
    canvas.current?.toBlob(onChange, 'image/png')
  }
  const clear = () => {
    pen()?.clearRect(0, 0, padWidth, padHeight)
    onChange(null)
  }
  return (
    <div className="d-pad">
      <canvas
        ref={canvas}
        width={padWidth}
        height={padHeight}
        role="img"
        aria-label={label}
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={end}
      />
      <button type="button" className="d-button" onClick={clear}>
        {t('v.clear')}
      </button>
    </div>
  )
}

/** The form of a violation: clause, facts, pictures and two signatures. It is kept on the device first. */
export const ViolationForm = ({
  room,
  pack,
  person,
  onDone,
}: {
  readonly room: string
  readonly pack: RoomPack
  readonly person: PackPerson
  readonly onDone: () => void
}) => {
  const t = useT(siteTexts)
  const lang = useLang()
  const id = useId()
  const [at] = useState(() => Math.round(serverNow()))
  const [clause, setClause] = useState('')
  const [facts, setFacts] = useState('')
  const [names, setNames] = useState<readonly [string, string]>(['', ''])
  const [signs, setSigns] = useState<readonly [Blob | null, Blob | null]>([null, null])
  const [evidence, setEvidence] = useState<readonly File[]>([])
  const [problems, setProblems] = useState<readonly string[]>([])
  const [first, second] = [names[0].trim(), names[1].trim()]
  /** All that is missing at once: whoever stands at a desk does not want to hear of it one by one. */
  const missing = (): string[] => [
    ...(clause === '' ? [t('v.needClause')] : []),
    ...([...facts.trim()].length < 5 ? [t('v.needFacts')] : []),
    ...(evidence.length > maxPictures || evidence.some(one => one.size > maxPictureBytes) ? [t('v.tooMany')] : []),
    ...([...first].length < 2 ? [t('v.needFirst')] : []),
    ...([...second].length < 2 || second === first ? [t('v.needSecond')] : []),
    ...(signs[0] === null || signs[1] === null ? [t('v.needSigns')] : []),
  ]
  const save = async () => {
    const asks = missing()
    setProblems(asks)
    const [firstSignature, secondSignature] = signs
    if (asks.length > 0 || firstSignature === null || secondSignature === null) return
    const violationId = crypto.randomUUID()
    await fileForm({
      violationId,
      room,
      fields: {
        ...{ violationId, ticketId: person.ticketId, clause, facts: facts.trim(), at: String(at) },
        ...{ firstSigner: first, secondSigner: second },
      },
      evidence,
      firstSignature,
      secondSignature,
    })
    onDone()
  }
  return (
    <form
      className="d-form"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      <label htmlFor={`${id}-clause`}>{t('v.clause')}</label>
      <select id={`${id}-clause`} value={clause} onChange={event => setClause(event.target.value)}>
        <option value="">{t('v.choose')}</option>
        {pack.clauses.map(one => (
          <option key={one.code} value={one.code}>
            {lang === 'zh' ? one.zh : one.en}
          </option>
        ))}
      </select>
      <label htmlFor={`${id}-facts`}>{t('v.facts')}</label>
      <textarea id={`${id}-facts`} rows={4} maxLength={1000} value={facts} onChange={event => setFacts(event.target.value)} />
      <small>{t('v.factsHint')}</small>
      <label htmlFor={`${id}-evidence`}>{t('v.evidence')}</label>
      <div className="d-button d-file">
        {evidence.length === 0 ? t('v.pick') : t('v.picked', { count: evidence.length })}
        <input
          id={`${id}-evidence`}
          type="file"
          accept="image/jpeg,image/png"
          multiple
          onChange={event => setEvidence([...(event.target.files ?? [])])}
        />
      </div>
      {([0, 1] as const).map(nth => {
        const change = <T,>(pair: readonly [T, T], value: T): readonly [T, T] => (nth === 0 ? [value, pair[1]] : [pair[0], value])
        const label = t(nth === 0 ? 'v.first' : 'v.second')
        return (
          <div key={nth}>
            <label htmlFor={`${id}-name-${nth}`}>{label}</label>
            <input
              id={`${id}-name-${nth}`}
              maxLength={50}
              autoComplete="off"
              value={names[nth]}
              onChange={event => setNames(before => change(before, event.target.value))}
            />
            <p className="d-small">{t('v.signOf', { name: names[nth].trim() || t(nth === 0 ? 'v.firstPerson' : 'v.secondPerson') })}</p>
            <Pad label={`${label}: ${t('v.sign')}`} onChange={picture => setSigns(before => change<Blob | null>(before, picture))} />
          </div>
        )
      })}
      {problems.length > 0 && (
        <div className="d-problem" role="alert">
          {problems.map(problem => (
            <p key={problem}>{problem}</p>
          ))}
        </div>
      )}
      <button type="submit" className="d-button is-main">
        {t('v.save')}
      </button>
    </form>
  )
}
