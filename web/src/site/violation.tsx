import { type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { heicAdvice } from '#contract/kernel/picture-name.ts'
import { toWireTime } from '#contract/kernel/when.ts'
import type { PackPerson, RoomPack } from '#contract/ticket/exam-day.ts'
import { serverNow } from '#web/kernel/clock.ts'
import { useLabel, useLang, useT } from '#web/kernel/i18n/index.ts'
import { readyPicture } from '#web/kernel/picture.ts'
import { useSaid } from '#web/kernel/said.ts'
import { epochOf } from '#web/kernel/wire-time.ts'
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

/** A picture that was chosen, and how to leave it out again. */
const Picture = ({ file, nth, onRemove }: { readonly file: File; readonly nth: number; readonly onRemove: () => void }) => {
  const t = useT(siteTexts)
  const [address, setAddress] = useState('')
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return (
    <li>
      {address !== '' && <img src={address} alt={t('v.picture', { nth })} />}
      <button type="button" className="d-button" onClick={onRemove}>
        {t('v.remove', { nth })}
      </button>
    </li>
  )
}

/** What is wrong with a field, beside it. */
const Wrong = ({ id, children }: { readonly id: string; readonly children: ReactNode }) =>
  children ? (
    <p id={id} className="d-wrong">
      {children}
    </p>
  ) : null

type Field = 'clause' | 'time' | 'facts' | 'evidence' | 'first' | 'second' | 'signs'

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
  const say = useLabel()
  const [opened] = useState(() => toWireTime(new Date(serverNow())))
  const [time, setTime] = useState(opened.slice(11, 16))
  const [clause, setClause] = useState('')
  const [facts, setFacts] = useState('')
  const [names, setNames] = useState<readonly [string, string]>(['', ''])
  const [signs, setSigns] = useState<readonly [Blob | null, Blob | null]>([null, null])
  const [evidence, setEvidence] = useState<readonly File[]>([])
  const [isReading, setReading] = useState(false)
  const [wrong, setWrong] = useSaid<Partial<Readonly<Record<Field, string>>>>({})
  const form = useRef<HTMLFormElement>(null)
  const [first, second] = [names[0].trim(), names[1].trim()]
  /** All that is missing at once: whoever stands at a desk does not want to hear of it one by one. */
  const missing = (): Partial<Record<Field, string>> => ({
    ...(clause === '' ? { clause: t('v.needClause') } : {}),
    // It happened by now; the field keeps the minute in which the form was opened.
    ...(/^\d\d:\d\d$/.test(time) && epochOf(`${opened.slice(0, 10)} ${time}:00`) <= serverNow() ? {} : { time: t('v.needTime') }),
    ...([...facts.trim()].length < 5 ? { facts: t('v.needFacts') } : {}),
    ...([...first].length < 2 ? { first: t('v.needFirst') } : {}),
    ...([...second].length < 2 || second === first ? { second: t('v.needSecond') } : {}),
    ...(signs[0] === null || signs[1] === null ? { signs: t('v.needSigns') } : {}),
  })
  /** Pictures of a phone are made small here, before they wait for a network. */
  const add = async (files: readonly File[]) => {
    setReading(true)
    const said: string[] = []
    const ready: File[] = []
    for (const file of files.slice(0, maxPictures - evidence.length)) {
      const picture = await readyPicture(file, maxPictureBytes).catch(() => 'broken' as const)
      if (typeof picture !== 'string') ready.push(picture)
      else said.push(`${file.name}: ${picture === 'heic' ? say(heicAdvice) : t(`v.picture.${picture}`)}`)
    }
    if (files.length > maxPictures - evidence.length) said.push(t('v.tooMany'))
    setEvidence(before => [...before, ...ready])
    setWrong(({ evidence: _, ...before }) => (said.length > 0 ? { ...before, evidence: said.join('；') } : before))
    setReading(false)
  }
  const save = async () => {
    const asks = missing()
    setWrong(asks)
    const [firstSignature, secondSignature] = signs
    if (Object.keys(asks).length > 0 || firstSignature === null || secondSignature === null) {
      // The first field that is not right comes into view, wherever the button is.
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
      return
    }
    // Within the minute in which the form was opened the second is known.
    const at = time === opened.slice(11, 16) ? epochOf(opened) : epochOf(`${opened.slice(0, 10)} ${time}:00`)
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
  const count = Object.keys(wrong).length
  const invalid = (field: Field) => (wrong[field] === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': `${id}-${field}-wrong` })
  return (
    <form
      ref={form}
      className="d-form"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      <label htmlFor={`${id}-clause`}>{t('v.clause')}</label>
      <select id={`${id}-clause`} {...invalid('clause')} value={clause} onChange={event => setClause(event.target.value)}>
        <option value="">{t('v.choose')}</option>
        {pack.clauses.map(one => (
          <option key={one.code} value={one.code}>
            {lang === 'zh' ? one.zh : one.en}
          </option>
        ))}
      </select>
      <Wrong id={`${id}-clause-wrong`}>{wrong.clause}</Wrong>
      <label htmlFor={`${id}-time`}>{t('v.time')}</label>
      <input id={`${id}-time`} type="time" {...invalid('time')} value={time} onChange={event => setTime(event.target.value)} />
      <Wrong id={`${id}-time-wrong`}>{wrong.time}</Wrong>
      <label htmlFor={`${id}-facts`}>{t('v.facts')}</label>
      <textarea
        id={`${id}-facts`}
        rows={4}
        maxLength={1000}
        {...invalid('facts')}
        value={facts}
        onChange={event => setFacts(event.target.value)}
      />
      <small>{t('v.factsHint')}</small>
      <Wrong id={`${id}-facts-wrong`}>{wrong.facts}</Wrong>
      <label htmlFor={`${id}-evidence`}>{t('v.evidence')}</label>
      {evidence.length > 0 && (
        <ul className="d-pictures">
          {evidence.map((file, i) => (
            <Picture
              // biome-ignore lint/suspicious/noArrayIndexKey: two pictures may have one name
              key={`${file.name} ${i}`}
              file={file}
              nth={i + 1}
              onRemove={() => setEvidence(before => before.filter(one => one !== file))}
            />
          ))}
        </ul>
      )}
      {evidence.length < maxPictures && (
        <div className="d-button d-file">
          {t(isReading ? 'v.reading' : 'v.pick')}
          <input
            id={`${id}-evidence`}
            type="file"
            accept="image/*"
            multiple
            disabled={isReading}
            {...invalid('evidence')}
            onChange={event => {
              const files = [...(event.target.files ?? [])]
              // The same picture may be chosen again after it was removed.
              event.target.value = ''
              void add(files)
            }}
          />
        </div>
      )}
      <Wrong id={`${id}-evidence-wrong`}>{wrong.evidence}</Wrong>
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
              {...invalid(nth === 0 ? 'first' : 'second')}
              value={names[nth]}
              onChange={event => setNames(before => change(before, event.target.value))}
            />
            <Wrong id={`${id}-${nth === 0 ? 'first' : 'second'}-wrong`}>{nth === 0 ? wrong.first : wrong.second}</Wrong>
            <p className="d-small">{t('v.signOf', { name: names[nth].trim() || t(nth === 0 ? 'v.firstPerson' : 'v.secondPerson') })}</p>
            <Pad label={`${label}: ${t('v.sign')}`} onChange={picture => setSigns(before => change<Blob | null>(before, picture))} />
          </div>
        )
      })}
      <Wrong id={`${id}-signs-wrong`}>{wrong.signs}</Wrong>
      <p className={count > 0 ? 'd-problem' : ''} role="alert">
        {count > 0 && t('v.wrong', { count })}
      </p>
      <button type="submit" className="d-button is-main" disabled={isReading}>
        {t('v.save')}
      </button>
    </form>
  )
}
